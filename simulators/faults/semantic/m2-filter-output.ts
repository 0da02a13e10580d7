import type { AnswerKind, DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { textOf, withText } from '../native/content.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { withReason } from '../native/endings.ts';
import type { NativeEvent, OpenFrame } from '../native/open-answer.ts';
import { isDelta, placeAfter } from '../native/places.ts';

/**
 * A filter stops the answer in the middle of its text, and the finish reason says so. Forms: the dialect's
 * reasons.
 */
export const filterOutput: Fault = editAnswer('M2', (frames, { dialect, call, form, after }) => {
  const cut = call === 'plain' ? halved(frames, dialect) : upTo(frames, placeAfter(frames, after));
  return withReason(cut, dialect, call, reasonOf(dialect, form));
});

function upTo(frames: readonly OpenFrame[], place: number): OpenFrame[] {
  return frames.filter((frame, at) => at < place || !isDelta(frame));
}

function halved(frames: readonly OpenFrame[], dialect: DialectName): OpenFrame[] {
  return frames.map((frame) => ({
    ...frame,
    events: frame.events.map((event) => halve(event, dialect, 'plain')),
  }));
}

function halve(event: NativeEvent, dialect: DialectName, call: AnswerKind): NativeEvent {
  const characters = [...(textOf(event, dialect, call) ?? '')];
  if (characters.length === 0) return event;
  return withText(event, dialect, characters.slice(0, Math.ceil(characters.length / 2)).join(''), call);
}

const blockReasons: Readonly<Record<string, string>> = {
  safety: 'SAFETY',
  recitation: 'RECITATION',
  blocklist: 'BLOCKLIST',
  prohibited: 'PROHIBITED_CONTENT',
  'personal-data': 'SPII',
};

function reasonOf(dialect: DialectName, form: string | null): string {
  if (dialect === 'chat-completions') return 'content_filter';
  if (dialect === 'messages') return 'refusal';
  return blockReasons[form ?? 'safety'] ?? 'SAFETY';
}
