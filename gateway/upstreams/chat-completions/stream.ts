import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { AnswerEnd } from '../answer-end.ts';
import { endWordIn } from '../end-words.ts';
import type { ServerEvent } from '../event-parser.ts';
import { broken, failureInWords, isFirst, isForeign } from '../json-frames.ts';
import type { EventReader } from '../native-stream.ts';
import type { StreamPiece, StreamStep, UpstreamFailure, Usage } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { usagesIn } from '../usage/read-report.ts';
import { UsageTally } from '../usage/usage-tally.ts';
import { classifyError, errorIn } from './classify.ts';
import { TextFrames } from './text-frames.ts';
import { TextSoFar } from './text-so-far.ts';
import { ToolFragments } from './tool-fragments.ts';
import { bringsContent, messageAsDelta, unwrapped } from './whole-message.ts';

/** Reads the chunks of one chat-completions answer: many in a stream, one otherwise. */
export class ChunkReader implements EventReader {
  readonly end = new AnswerEnd();
  readonly #tools: ToolFragments;
  readonly #frames = new TextFrames(onlyText);
  readonly #soFar = new TextSoFar();
  readonly #tally = new UsageTally();
  #hasDelta = false;
  /** The finish reason of a call without arguments. They may yet come, as some proxies finish behind every chunk. */
  #closing: unknown = null;
  /** The index of the choice that is read; null before the first one. */
  #index: unknown = null;

  constructor(newCallId: () => string) {
    this.#tools = new ToolFragments(newCallId);
  }

  usage(): Usage | null {
    return this.#tally.usage();
  }

  take({ name, data }: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    const known = name === '' ? this.#frames.read(data) : null;
    if (known !== null) return this.end.take(textPiece(this.#soFar.take(known)), null, pieces);
    // If no content has arrived, the mark may precede the text.
    if (data.trim() === '[DONE]')
      return this.end.hasSaid || this.#closing !== null ? this.ended(pieces) : null;
    const chunk = parseJson(data);
    // Some providers send `null` between two chunks; ignoring it loses nothing.
    if (chunk === null) return null;
    if (!isObject(chunk)) return this.end.isCredible ? null : unreadable(name, data);
    const problem = this.takeChunk(unwrapped(chunk), pieces, name === 'error');
    if (problem === null && this.#index === 0) this.#frames.learn(data, chunk);
    return problem;
  }

  /** Takes a chunk that has been parsed. */
  takeChunk(chunk: JsonObject, pieces: StreamPiece[], isError = false): UpstreamFailure | null {
    if (isError || errorIn(chunk) !== null) return this.end.isCredible ? null : classifyError(chunk, 200, {});
    this.#tally.take(chunk);
    const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
    for (const choice of this.#ours(choices)) {
      const problem = this.#takeChoice(choice, pieces);
      if (problem !== null) return problem;
    }
    return null;
  }

  /**
   * The choices of the one answer: those with index 0, or with the index that the stream begins with instead. Some servers
   * count their chunks there, from 1.
   */
  #ours(choices: readonly unknown[]): JsonObject[] {
    const all = choices.filter(isObject);
    const [first] = all;
    if (this.#index === null && first !== undefined)
      this.#index = all.some(({ index }) => isFirst(index)) ? 0 : first.index;
    const isCounting = typeof this.#index === 'number' && this.#index > 0 && all.length === 1;
    if (isCounting && first?.index === Number(this.#index) + 1) this.#index = first.index;
    return all.filter(({ index }) => (this.#index === 0 ? isFirst(index) : index === this.#index));
  }

  ended(pieces: StreamPiece[]): StreamStep {
    const rest = [...textPiece(this.#soFar.close()), ...this.#tools.close()];
    if (!this.end.isCredible || this.#closing !== null) this.end.take(rest, this.#closing, pieces);
    return (this.end.isCredible ? null : this.#unnamed()) ?? this.end.ended(this.usage());
  }

  #unnamed(): UpstreamFailure | null {
    return this.#tools.hasUnnamed() ? broken('a tool call has no name') : null;
  }

  #takeChoice(choice: JsonObject, pieces: StreamPiece[]): UpstreamFailure | null {
    const error = choice.error === undefined ? null : errorIn({ error: choice.error, choices: [choice] });
    if (error !== null && !this.end.isCredible) return classifyError({ error }, 200, {});
    const delta = this.#deltaIn(choice);
    const reason = reasonIn(choice);
    this.end.reconsiders(choice.native_finish_reason);
    const { refusal } = delta;
    const calls = delta.tool_calls ?? earlierCall(delta.function_call);
    const content = contentIn(delta);
    this.end.hides(thoughtIn(delta));
    // Details may be encrypted: their length says nothing of tokens.
    if ([delta.reasoning_details, delta.images, delta.audio].some(isFull)) this.end.sawHidden();
    const fragments = calls === null ? [] : this.#tools.take(calls);
    if (content === undefined || fragments === null)
      return this.end.isCredible ? null : broken('a delta cannot be read');
    if (content !== null) this.end.sawContent();
    if (typeof refusal === 'string' && refusal !== '') this.end.refused();
    if (fragments.length === 0 && this.#tools.isHolding) this.end.opens(reason);
    const isEnd = endWordIn(reason) !== null;
    if (isEnd || calls !== null) this.#closing = isEnd && this.#tools.isOpen ? reason : null;
    const isLate = this.end.isCredible;
    const isLast = fragments.length > 0 || isEnd;
    const said = [...textPiece(this.#newText(content, isLast)), ...fragments];
    if (content) this.#tally.sawPiece();
    const problem = this.end.take(said, reason, pieces);
    return problem ?? (this.end.isCredible && !isLate ? this.#unnamed() : null);
  }

  /** The new text of a delta; behind the last one of a text nothing is held back. */
  #newText(content: string | null, isLast: boolean): string {
    const text = this.#soFar.take(content ?? '');
    return isLast ? text + this.#soFar.close() : text;
  }

  /**
   * What a choice adds. Some servers stream messages, or the text of completions, or send the whole message at the end; others
   * only repeat it there.
   */
  #deltaIn({ delta, message, text }: JsonObject): JsonObject {
    const own = isObject(delta) ? delta : null;
    this.#hasDelta ||= own !== null && bringsContent(own);
    if (this.#hasDelta) return own ?? {};
    return isObject(message) ? messageAsDelta(message) : (own ?? { content: text });
  }
}

/** An event that is no object: an error in words, or a break of the stream; null for one of another kind. */
function unreadable(name: string, data: string): UpstreamFailure | null {
  const words = name === 'error' ? data : /^\s*\[error\]\s*(.*)/is.exec(data)?.[1];
  if (words !== undefined) return failureInWords(words);
  return isForeign(name) ? null : broken('an event is no JSON object');
}

/** The finish reason of a choice; some servers give it in the spelling of another dialect. */
function reasonIn({ finish_reason: reason, finishReason: other }: JsonObject): unknown {
  return endWordIn(reason) === null ? other : reason;
}

function textPiece(text: string): StreamPiece[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** The text of a chunk that brings nothing else; null for any other. */
function onlyText(chunk: unknown): string | null {
  if (!isObject(chunk) || (chunk.error ?? null) !== null || usagesIn(chunk).length > 0) return null;
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
  const [choice] = choices;
  if (choices.length !== 1 || !isObject(choice) || !isFirst(choice.index)) return null;
  const { delta, finish_reason: reason = null } = choice;
  const { tool_calls: calls, function_call: call, refusal } = isObject(delta) ? delta : {};
  if (!isObject(delta) || (calls ?? call ?? refusal ?? null) !== null) return null;
  return reason === null && typeof delta.content === 'string' && delta.content !== '' ? delta.content : null;
}

/** What the model produced besides its answer, under the names of all providers; one answer may have it under several. */
function thoughtIn(delta: JsonObject): unknown {
  const { reasoning_content: content, reasoning, reasoning_text: text, thinking } = delta;
  return content || reasoning || text || thinking || partsIn(delta.content);
}

/** The parts of a content that are no text. */
function partsIn(content: unknown): readonly unknown[] | null {
  return Array.isArray(content) ? content.filter((part) => isObject(part) && !isText(part)) : null;
}

function isFull(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && value.length > 0);
}

/** The one call of the protocol before `tool_calls`, which some servers still send; null for none, or an empty one. */
function earlierCall(call: unknown): unknown[] | null {
  const isCall = isObject(call) && ((call.name ?? '') !== '' || (call.arguments ?? '') !== '');
  return isCall ? [{ index: 0, function: call }] : null;
}

/**
 * The text of a message or delta: null when there is none, undefined when it is not text. Some servers send it in
 * parts; only the text parts are the answer.
 */
function contentIn({ content = null }: JsonObject): string | null | undefined {
  if (content === null || typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (isObject(part) ? textOf(part) : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined;
}

/** The text of a part, which is empty for other kinds; undefined if the part has no kind. */
function textOf(part: JsonObject): unknown {
  return isText(part) ? part.text : part.type === undefined ? undefined : '';
}

function isText({ type, text }: JsonObject): boolean {
  return type === undefined ? text !== undefined : type === 'text' || type === 'output_text';
}
