import {
  type AnswerKind,
  type ChatDialectName,
  chatDialect,
  type DialectName,
} from '../../answers/native-answer.ts';
import { mapEvents } from './edit-answer.ts';
import { type JsonPath, readPath, withMember } from './json-path.ts';
import type { OpenFrame } from './open-answer.ts';

/** The path of the finish reason in each dialect. */
const reasonPaths: Readonly<Record<ChatDialectName, Readonly<Record<AnswerKind, JsonPath>>>> = {
  'chat-completions': { plain: ['choices', 0, 'finish_reason'], stream: ['choices', 0, 'finish_reason'] },
  messages: { plain: ['stop_reason'], stream: ['delta', 'stop_reason'] },
  'generate-content': {
    plain: ['candidates', 0, 'finishReason'],
    stream: ['candidates', 0, 'finishReason'],
  },
};

/** The answer with another finish reason: a native word or null; undefined removes the member. */
export function withReason(
  frames: readonly OpenFrame[],
  dialect: DialectName,
  call: AnswerKind,
  reason: string | null | undefined,
): OpenFrame[] {
  const path = reasonPaths[chatDialect(dialect)][call];
  return mapEvents(frames, (data) => {
    const given = readPath(data, path);
    return typeof given === 'string' ? withMember(data, path, reason) : data;
  });
}
