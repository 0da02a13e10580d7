import {
  type AnswerKind,
  type ChatDialectName,
  chatDialect,
  type DialectName,
} from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { withText } from '../native/content.ts';
import { editAnswer, mapEvents } from '../native/edit-answer.ts';
import { withReason } from '../native/endings.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { isDelta } from '../native/places.ts';

/**
 * The answer ends in an odd way. Forms: `no-resource`: the upstream stopped for lack of capacity. `error`, `abort`: it
 * failed. `length-empty`: the limit was reached before any text. `never`, `empty`, `absent`: the ending is complete, but the
 * finish reason is null, an empty string or missing.
 */
export const finishOdd: Fault = editAnswer('S28', (frames, { dialect, call, form }) => {
  switch (form) {
    case 'length-empty':
      return withReason(
        withoutText(frames, dialect, call),
        dialect,
        call,
        limitReasons[chatDialect(dialect)],
      );
    case 'error':
    case 'abort':
      return withReason(frames, dialect, call, form);
    case 'empty':
      return withReason(frames, dialect, call, '');
    case 'absent':
      return withReason(frames, dialect, call, undefined);
    case 'never':
      // In two dialects the member is null; in the third it is missing.
      return withReason(frames, dialect, call, dialect === 'generate-content' ? undefined : null);
    default:
      return withReason(frames, dialect, call, gaveUpReasons[chatDialect(dialect)]);
  }
});

const gaveUpReasons: Readonly<Record<ChatDialectName, string>> = {
  'chat-completions': 'insufficient_system_resource',
  messages: 'pause_turn',
  'generate-content': 'OTHER',
};

const limitReasons: Readonly<Record<ChatDialectName, string>> = {
  'chat-completions': 'length',
  messages: 'max_tokens',
  'generate-content': 'MAX_TOKENS',
};

function withoutText(frames: readonly OpenFrame[], dialect: DialectName, call: AnswerKind): OpenFrame[] {
  if (call === 'stream') return frames.filter((frame) => !isDelta(frame));
  // In the dialect with content blocks, the block is missing.
  if (dialect === 'messages') return mapEvents(frames, (data) => ({ ...data, content: [] }));
  return frames.map((frame) => ({
    ...frame,
    events: frame.events.map((event) => withText(event, dialect, '', call)),
  }));
}
