import {
  type AnswerKind,
  type ChatDialectName,
  chatDialect,
  type DialectName,
} from '../../answers/native-answer.ts';
import { mapEvents } from './edit-answer.ts';
import { isJsonObject, type JsonPath, readPath, withMember } from './json-path.ts';
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
  return withEndWord(frames, dialect, call, (known) => (known === null ? known : reason));
}

/**
 * The answer with different finish reasons. The function also receives null for pieces without a reason yet. Undefined
 * removes the member. Null leaves a piece unchanged if the dialect has no such member there.
 */
export function withEndWord(
  frames: readonly OpenFrame[],
  dialect: DialectName,
  call: AnswerKind,
  wordFor: (known: string | null) => string | null | undefined,
): OpenFrame[] {
  const path = reasonPaths[chatDialect(dialect)][call];
  return mapEvents(frames, (data) => {
    if (!isJsonObject(readPath(data, path.slice(0, -1)))) return data;
    const given = readPath(data, path);
    const known = typeof given === 'string' ? given : null;
    const word = wordFor(known);
    return word === known ? data : withMember(data, path, word);
  });
}
