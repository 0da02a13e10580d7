import {
  type AnswerKind,
  type ChatDialectName,
  chatDialect,
  type DialectName,
} from '../../answers/native-answer.ts';
import { isJsonObject, type JsonObject, type JsonPath, readPath, withMember } from './json-path.ts';
import type { NativeEvent, OpenFrame } from './open-answer.ts';

/** The path of the text in a stream event or a plain answer. */
const textPaths: Readonly<Record<ChatDialectName, Readonly<Record<AnswerKind, JsonPath>>>> = {
  'chat-completions': {
    plain: ['choices', 0, 'message', 'content'],
    stream: ['choices', 0, 'delta', 'content'],
  },
  messages: { plain: ['content', 0, 'text'], stream: ['delta', 'text'] },
  'generate-content': {
    plain: ['candidates', 0, 'content', 'parts', 0, 'text'],
    stream: ['candidates', 0, 'content', 'parts', 0, 'text'],
  },
};

/** The text of an event; null when it has none. */
export function textOf(
  { data }: NativeEvent,
  dialect: DialectName,
  call: AnswerKind = 'stream',
): string | null {
  const text = readPath(data, textPaths[chatDialect(dialect)][call]);
  return typeof text === 'string' ? text : null;
}

/** The event with another text. */
export function withText(
  event: NativeEvent,
  dialect: DialectName,
  text: string,
  call: AnswerKind = 'stream',
): NativeEvent {
  if (typeof event.data === 'string') return event;
  return { ...event, data: withMember(event.data, textPaths[chatDialect(dialect)][call], text) };
}

/** An event with more text for the answer. */
export function textEvent(frames: readonly OpenFrame[], dialect: DialectName, text: string): NativeEvent {
  switch (chatDialect(dialect)) {
    case 'chat-completions': {
      const choice = { index: 0, delta: { content: text }, logprobs: null, finish_reason: null };
      return { name: null, data: { ...firstChunk(frames), choices: [choice] } };
    }
    case 'messages':
      return {
        name: 'content_block_delta',
        data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      };
    case 'generate-content': {
      const candidate = { content: { parts: [{ text }], role: 'model' }, index: 0 };
      // Uses the last event, whose counts include those of all earlier events.
      return { name: null, data: { ...chunksOf(frames).at(-1), candidates: [candidate] } };
    }
  }
}

/** The first chunk of a dialect whose chunks share members, as a template for added ones. */
export function firstChunk(frames: readonly OpenFrame[]): JsonObject {
  return chunksOf(frames)[0] ?? {};
}

function chunksOf(frames: readonly OpenFrame[]): JsonObject[] {
  return frames.flatMap(({ events }) => events.map(({ data }) => data)).filter(isJsonObject);
}
