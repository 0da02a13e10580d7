import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { endOfBroken, errorEvent, errorOfForm } from '../native/error-events.ts';
import { closeAnswer, lineEndOf, type OpenFrame, openAnswer } from '../native/open-answer.ts';
import { firstContent } from '../native/places.ts';

/**
 * A stream with an error in place of its first event. Forms: the kinds of error; `after-role` lets the opening
 * of the answer through; `bare` is the JSON of the error without an event around it.
 */
export const errorFirst: Fault = { id: 'S7', kind: 'edit', answer: withErrorFirst };

function withErrorFirst(given: NativeAnswer, { dialect, form }: FaultContext): NativeAnswer {
  const open = openAnswer(given);
  const { dueMs } = given.frames[0] ?? { dueMs: 0 };
  const event = errorEvent(dialect, errorOfForm(form));
  const error: OpenFrame = { label: 'error', dueMs, events: [event] };
  const opening = form === 'after-role' ? open.slice(0, firstContent(open)) : [];
  const answer = closeAnswer(given, [...opening, error, ...endOfBroken({ given, dueMs })]);
  if (form !== 'bare') return answer;
  const bytes = Buffer.from(`${JSON.stringify(event.data, null, 2)}${lineEndOf(given)}`);
  return { ...answer, frames: [{ label: 'error', dueMs, bytes }] };
}
