import {
  type ChatDialectName,
  chatDialect,
  type Frame,
  type NativeAnswer,
} from '../../answers/native-answer.ts';
import { withHeaders } from '../../answers/whole-answer.ts';
import { documentsOf, type JsonObject } from '../native/answer-json.ts';
import { oneBody } from '../native/refusal.ts';

/** The answer as the other kind of call would have received it, with that kind's content type. */
export function inOtherKind(given: NativeAnswer): NativeAnswer {
  const documents = documentsOf(given);
  const [first] = documents;
  if (first === undefined) return given;
  const kinds = kindsOf[chatDialect(given.dialect)];
  if (given.call === 'stream') {
    const headers = withHeaders(given.headers, { 'content-type': 'application/json' });
    const body = Buffer.from(JSON.stringify(kinds.whole(documents)));
    return oneBody(given.dialect, { status: given.status, headers, body });
  }
  return {
    ...given,
    call: 'stream',
    headers: withHeaders(given.headers, { 'content-type': 'text/event-stream' }),
    frames: kinds
      .events(first)
      .map(([label, text]): Frame => ({ label, bytes: Buffer.from(text), dueMs: 0 })),
  };
}

/** A frame of a stream: its label and its text. */
type Labelled = readonly [label: string, text: string];

/** Converts answers of one dialect between one document and a stream. Only text is kept. */
interface Kinds {
  readonly whole: (documents: readonly JsonObject[]) => object;
  readonly events: (document: JsonObject) => readonly Labelled[];
}

const kindsOf: Readonly<Record<ChatDialectName, Kinds>> = {
  'chat-completions': { whole: chatWhole, events: chatEvents },
  messages: { whole: messagesWhole, events: messagesEvents },
  'generate-content': { whole: generateWhole, events: generateEvents },
};

function chatWhole(chunks: readonly JsonObject[]): object {
  const choices = chunks.flatMap((chunk) => listIn(chunk, 'choices'));
  const content = choices.map((choice) => textIn(objectIn(choice, 'delta'), 'content')).join('');
  const { id, created, model } = chunks[0] ?? {};
  const message = { role: 'assistant', content, refusal: null };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: lastOf(choices, 'finish_reason') }],
    usage: lastOf(chunks, 'usage'),
  };
}

function chatEvents({ id, created, model, choices, usage }: JsonObject): Labelled[] {
  const [choice = {}] = listIn({ choices }, 'choices');
  const content = textIn(objectIn(choice, 'message'), 'content');
  const event = (list: readonly object[], more = {}): string =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices: list, ...more })}\n\n`;
  const chunk = (delta: object, finish: unknown = null): string =>
    event([{ index: 0, delta, logprobs: null, finish_reason: finish }]);
  return [
    ['role', chunk({ role: 'assistant', content: '' })],
    ['delta-0', chunk({ content })],
    ['finish', chunk({}, choice.finish_reason)],
    ['usage', event([], { usage })],
    ['done', 'data: [DONE]\n\n'],
  ];
}

function messagesWhole(events: readonly JsonObject[]): object {
  const [start = {}] = events;
  const text = events.map((event) => textIn(objectIn(event, 'delta'), 'text')).join('');
  const end = events.find(({ type }) => type === 'message_delta') ?? {};
  const message = objectIn(start, 'message');
  return {
    ...message,
    content: [{ type: 'text', text }],
    ...objectIn(end, 'delta'),
    usage: { ...objectIn(message, 'usage'), ...objectIn(end, 'usage') },
  };
}

function messagesEvents(message: JsonObject): Labelled[] {
  const text = listIn(message, 'content')
    .map((block) => textIn(block, 'text'))
    .join('');
  const { stop_reason, stop_sequence, usage } = message;
  const opening = { ...message, content: [], stop_reason: null, stop_sequence: null };
  const event = (type: string, members: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
  const block = { index: 0, content_block: { type: 'text', text: '' } };
  return [
    ['role', event('message_start', { message: opening }) + event('content_block_start', block)],
    ['delta-0', event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })],
    [
      'finish',
      event('content_block_stop', { index: 0 }) +
        event('message_delta', { delta: { stop_reason, stop_sequence }, usage }),
    ],
    ['done', event('message_stop', {})],
  ];
}

function generateWhole(chunks: readonly JsonObject[]): object {
  const candidates = chunks.flatMap((chunk) => listIn(chunk, 'candidates'));
  const parts = candidates.flatMap((candidate) => listIn(objectIn(candidate, 'content'), 'parts'));
  const text = parts.map((part) => textIn(part, 'text')).join('');
  const content = { parts: [{ text }], role: 'model' };
  const finishReason = lastOf(candidates, 'finishReason');
  return { ...chunks.at(-1), candidates: [{ content, finishReason, index: 0 }] };
}

function generateEvents(response: JsonObject): Labelled[] {
  return [['finish', `data: ${JSON.stringify(response)}\r\n\r\n`]];
}

function objectIn(value: JsonObject, name: string): JsonObject {
  const inner = value[name];
  return typeof inner === 'object' && inner !== null ? (inner as JsonObject) : {};
}

function listIn(value: JsonObject, name: string): JsonObject[] {
  const list = value[name];
  return Array.isArray(list) ? list : [];
}

function textIn(value: JsonObject, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}

/** The last value of a member that is neither null nor missing. */
function lastOf(values: readonly JsonObject[], name: string): unknown {
  return values.map((value) => value[name]).findLast((value) => value !== null && value !== undefined);
}
