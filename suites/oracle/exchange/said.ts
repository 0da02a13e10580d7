import type { Dialect } from '../../profile/dialects.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';
import { type Json, objectOf, objectsIn, readArguments, readJson } from '../native/json.ts';
import { type Call, dialectOf } from './call.ts';

/** The content of an answer, in one form for all dialects. */
export interface Said {
  readonly text: string;
  /** The name is empty if the parts of a call give none, or several. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  /** The dialect's own finish reason; null if absent. */
  readonly finish: string | null;
  /** All usage objects of the answer, in order. */
  readonly counts: readonly Json[];
  /**
   * `whole` has the end that its dialect requires, `failed` reports a failure, `unmarked` has only a finish reason,
   * `unfinished` just stops.
   */
  readonly ending: 'whole' | 'failed' | 'unmarked' | 'unfinished';
}

/** The content that one stream event adds, or that of a plain answer. */
interface Piece {
  readonly text?: string;
  readonly thoughts?: string;
  /** Parts of tool calls. Parts with one key belong to one call, whose arguments are joined. */
  readonly calls?: readonly CallPiece[];
  readonly finish?: string | null;
  readonly counts?: Json | null;
  readonly isEnd?: boolean;
  readonly isFailure?: boolean;
}

interface CallPiece {
  readonly key: string;
  readonly name?: string;
  readonly text?: string;
  readonly value?: unknown;
}

/** A stream event with the content it adds. `endOffset` is its end in the body, bytes. */
export interface SaidPiece extends Piece {
  readonly endOffset: number;
}

/** Thrown for a rare form of a dialect that is not read here. */
class Unusual extends Error {}

/** Reads the answer to a call; null if it is not chat or has an unusual form. */
export function readAnswer({ response }: Exchange, { protocol, stream }: Call): Said | null {
  const dialect = dialectOf(protocol);
  if (response === null || dialect === null) return null;
  return (stream ? readStream : readPlain)(dialect, response.body);
}

/** Reads a plain answer of a dialect; null for an unusual form. */
export function readPlain(dialect: Dialect, body: Buffer): Said | null {
  return usual(() => {
    const value = objectOf(readJson(body.toString('utf8')));
    if (value.error !== undefined && value.error !== null) return failed;
    return joined([{ ...wholes[dialect](value), isEnd: true }]);
  });
}

/**
 * Reads a stream of a dialect; null for an unusual form.
 * @param isCut whether its connection broke, so that it may end within an event
 */
export function readStream(dialect: Dialect, body: Buffer, isCut = false): Said | null {
  return usual(() => {
    if (!isCut && readSse(body).faults.length > 0) throw new Unusual();
    const pieces = piecesOf(dialect, body);
    const end = pieces.findIndex(({ finish }) => (finish ?? null) !== null);
    // If content follows the end, it is unknown which part counts.
    if (end >= 0 && pieces.slice(end + 1).some(says)) throw new Unusual();
    return joined(pieces);
  });
}

/** The events of a stream with the content each adds; null for an unusual form. */
export function streamPieces(dialect: Dialect, body: Buffer): readonly SaidPiece[] | null {
  return usual(() => piecesOf(dialect, body));
}

/** Whether a piece has content. */
export function says({ text = '', thoughts = '', calls = [] }: SaidPiece): boolean {
  return text !== '' || thoughts !== '' || calls.length > 0;
}

function piecesOf(dialect: Dialect, body: Buffer): SaidPiece[] {
  const { events: read } = readSse(body);
  // Compressed, or something else altogether.
  if (read.length === 0 && body.length > 0) throw new Unusual();
  return read.map(({ data, event, endOffset }, place) => {
    if (data === '[DONE]') return { isEnd: true, endOffset };
    const value = objectOf(readJson(data));
    if (event === 'error' || value.type === 'error' || (value.error ?? null) !== null)
      return { isFailure: true, endOffset };
    return { ...events[dialect](value, place), endOffset };
  });
}

const failed: Said = { text: '', calls: [], finish: null, counts: [], ending: 'failed' };

function usual<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    // JSON beyond the reader's nesting limit counts as unusual, like invalid JSON.
    if (error instanceof Unusual || error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

function joined(pieces: readonly Piece[]): Said {
  const calls = new Map<string, { names: Set<string>; text: string; value: unknown }>();
  for (const { key, name = '', text = '', value } of pieces.flatMap((piece) => piece.calls ?? [])) {
    const { names, ...call } = calls.get(key) ?? { names: new Set<string>(), text: '', value: undefined };
    if (name !== '') names.add(name);
    calls.set(key, { names, text: call.text + text, value: value ?? call.value });
  }
  const isEnded = pieces.some(({ isEnd }) => isEnd);
  const reasons = pieces.flatMap(({ finish }) => finish ?? []);
  const unmarked = reasons.length > 0 ? 'unmarked' : 'unfinished';
  return {
    text: pieces.map(({ text = '' }) => text).join(''),
    calls: [...calls.values()].map(({ names: [name = '', ...others], text, value }) => ({
      name: others.length === 0 ? name : '',
      arguments: text === '' && value !== undefined ? value : readArguments(text),
    })),
    finish: reasons.at(-1) ?? null,
    counts: pieces.flatMap(({ counts }) => (counts === undefined || counts === null ? [] : [counts])),
    ending: pieces.some(({ isFailure }) => isFailure) ? 'failed' : isEnded ? 'whole' : unmarked,
  };
}

const wholes: Readonly<Record<Dialect, (body: Json) => Piece>> = {
  'chat-completions': (body) => {
    const [choice] = oneOf(body.choices, 1);
    const message = objectOf(choice?.message);
    return {
      ...chatPiece(message),
      finish: wordOf(choice?.finish_reason),
      counts: countsIn(body.usage),
    };
  },
  messages: (body) => ({
    ...joinedBlocks(objectsIn(body.content)),
    finish: wordOf(body.stop_reason),
    counts: countsIn(body.usage),
  }),
  'generate-content': (body) => generatePiece(body, 0),
};

const events: Readonly<Record<Dialect, (event: Json, place: number) => Piece>> = {
  'chat-completions': (event) => {
    const choices = oneOf(event.choices, 0);
    const delta = objectOf(choices[0]?.delta);
    return {
      ...chatPiece(delta),
      finish: wordOf(choices[0]?.finish_reason),
      counts: countsIn(event.usage),
    };
  },
  messages: messagesEvent,
  'generate-content': (event, place) => {
    const piece = generatePiece(event, place);
    return { ...piece, isEnd: (piece.finish ?? null) !== null };
  },
};

/** The choices of an answer, of which there is one; `least` of them. */
function oneOf(value: unknown, least: number): Json[] {
  const choices = objectsIn(value);
  if (choices.length > 1 || choices.length < least || (choices[0]?.index ?? 0) !== 0) throw new Unusual();
  return choices;
}

function chatPiece(from: Json): Piece {
  const { content, reasoning_content: thoughts, function_call: old = null, refusal = null } = from;
  if (old !== null || refusal !== null) throw new Unusual();
  return {
    text: textOr(content),
    thoughts: textOr(thoughts),
    calls: objectsIn(from.tool_calls).map((call, place) => {
      const { name, arguments: text } = objectOf(call.function);
      return { key: String(call.index ?? place), name: textOr(name), text: textOr(text) };
    }),
  };
}

function joinedBlocks(blocks: readonly Json[]): Piece {
  const pieces = blocks.map((block, place) => blockPiece(block, place));
  return {
    text: pieces.map(({ text = '' }) => text).join(''),
    calls: pieces.flatMap(({ calls = [] }) => calls),
  };
}

function blockPiece(block: Json, index: unknown): Piece {
  switch (block.type) {
    case 'text':
      return { text: textOr(block.text) };
    case 'thinking':
      return { thoughts: textOr(block.thinking) };
    case 'redacted_thinking':
      return {};
    case 'tool_use':
      return { calls: [{ key: String(index), name: textOr(block.name), value: block.input ?? {} }] };
    default:
      throw new Unusual();
  }
}

function messagesEvent(event: Json): Piece {
  const delta = objectOf(event.delta);
  switch (event.type) {
    case 'message_start':
      return { counts: countsIn(objectOf(event.message).usage) };
    case 'content_block_start':
      return blockPiece(objectOf(event.content_block), event.index);
    case 'content_block_delta':
      return deltaPiece(delta, event.index);
    case 'message_delta':
      return { finish: wordOf(delta.stop_reason), counts: countsIn(event.usage) };
    case 'message_stop':
      return { isEnd: true };
    case 'content_block_stop':
    case 'ping':
      return {};
    default:
      throw new Unusual();
  }
}

function deltaPiece(delta: Json, index: unknown): Piece {
  switch (delta.type) {
    case 'text_delta':
      return { text: textOr(delta.text) };
    case 'thinking_delta':
      return { thoughts: textOr(delta.thinking) };
    case 'input_json_delta':
      return { calls: [{ key: String(index), text: textOr(delta.partial_json) }] };
    case 'signature_delta':
      return {};
    default:
      throw new Unusual();
  }
}

/** Calls come whole, and have no number: the event and their place in it distinguish them. */
function generatePiece(body: Json, place: number): Piece {
  const [candidate] = oneOf(body.candidates, 0);
  const parts = objectsIn(objectOf(candidate?.content).parts);
  const of = (isThought: boolean): string =>
    parts.map(({ text, thought }) => ((thought === true) === isThought ? textOr(text ?? '') : '')).join('');
  const calls = parts
    .filter(({ functionCall }) => functionCall !== undefined)
    .map(({ functionCall }) => objectOf(functionCall));
  if (parts.some((part) => part.text === undefined && part.functionCall === undefined)) throw new Unusual();
  if ((body.promptFeedback ?? null) !== null) throw new Unusual();
  return {
    text: of(false),
    thoughts: of(true),
    calls: calls.map(({ name, args = {} }, nth) => ({
      key: `${place} ${nth}`,
      name: textOr(name),
      value: args,
    })),
    finish: wordOf(candidate?.finishReason),
    counts: countsIn(body.usageMetadata),
  };
}

function textOr(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') throw new Unusual();
  return value;
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function countsIn(value: unknown): Json | null {
  return value === null || value === undefined ? null : objectOf(value);
}
