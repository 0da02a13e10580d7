import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { framingOf, lineEndOf } from '../native/open-answer.ts';

/**
 * Comment lines before, between and after the events. Forms: `processing` and `timestamped` place them between the events,
 * `inside-events` directly before each `data:` line.
 */
export const commentLines: Fault = { id: 'S6', kind: 'edit', actsOn: actsOn.events, answer: withComments };

function withComments(given: NativeAnswer, { form, nowMs }: FaultContext): NativeAnswer {
  if (framingOf(given) !== 'events') return given;
  const end = lineEndOf(given);
  const comment = form === 'timestamped' ? `: ping - ${stampOf(nowMs)}` : ': OPENROUTER PROCESSING';
  const frames = given.frames.map((frame): Frame => {
    const text = frame.bytes.toString('utf8');
    const commented =
      form === 'inside-events'
        ? text.replaceAll(/^data: /gm, `${comment}${end}data: `)
        : `${comment}${end}${end}${text}`;
    return { ...frame, bytes: Buffer.from(commented) };
  });
  return { ...given, frames };
}

/** The timestamp in the format of Python's usual event-stream library. */
function stampOf(nowMs: number): string {
  return new Date(nowMs).toISOString().replace('T', ' ').replace('Z', '000');
}
