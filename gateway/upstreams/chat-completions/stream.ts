import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { ServerEvent } from '../event-parser.ts';
import { broken, isFirst, isForeign } from '../json-frames.ts';
import type { EventReader } from '../native-stream.ts';
import {
  type FinishReason,
  failure,
  type StreamPiece,
  type StreamStep,
  type UpstreamFailure,
  type Usage,
} from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { classifyError } from './classify.ts';
import { contentIn } from './content.ts';
import { finishReason, isCallEnding, unknownEnding } from './finish-reason.ts';
import { readUsage, usageIn } from './read-usage.ts';
import { TextFrames } from './text-frames.ts';
import { ToolFragments } from './tool-fragments.ts';

/** Reads the chunks of one chat-completions stream. */
export class ChunkReader implements EventReader {
  readonly #tools: ToolFragments;
  readonly #frames = new TextFrames(onlyText);
  #finish: FinishReason | null = null;
  #usage: Usage | null = null;
  #hasText = false;
  /** Some content has arrived, even if empty. */
  #hasContent = false;
  #isRefused = false;
  /** The answer states that it ends in tool calls but has none. */
  #lacksCalls = false;
  #ending: { unknownEnding?: string } = {};

  constructor(newCallId: () => string) {
    this.#tools = new ToolFragments(newCallId);
  }

  get isFinished(): boolean {
    return this.#finish !== null;
  }

  usage(): Usage | null {
    return this.#usage;
  }

  take({ name, data }: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    const known = name === '' ? this.#frames.read(data) : null;
    if (known !== null) {
      this.#takeText(known, pieces);
      return null;
    }
    if (data.trim() === '[DONE]') return this.ended();
    const chunk = parseJson(data);
    if (!isObject(chunk))
      return this.isFinished || isForeign(name) ? null : broken('an event is no JSON object');
    if (name === 'error' || (chunk.error !== undefined && chunk.error !== null)) {
      return this.#finish === null ? classifyError(chunk, 200, {}) : null;
    }
    const usage = readUsage(usageIn(chunk));
    if (usage === undefined) return broken('no sensible usage');
    this.#usage = usage ?? this.#usage;
    const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
    for (const choice of choices) {
      if (!isObject(choice) || !isFirst(choice.index)) continue;
      const problem = this.#takeChoice(choice, pieces);
      if (problem !== null) return problem;
    }
    this.#frames.learn(data, chunk);
    return null;
  }

  /** A frame that brings this text and nothing else. */
  #takeText(text: string, pieces: StreamPiece[]): void {
    // Frames after the end are not part of the answer.
    if (this.#finish !== null) return;
    this.#hasContent = true;
    this.#hasText = true;
    pieces.push({ kind: 'text', text });
  }

  #takeChoice(choice: JsonObject, pieces: StreamPiece[]): UpstreamFailure | null {
    // Frames after the end are not part of the answer.
    if (this.#finish !== null) return null;
    const delta = isObject(choice.delta) ? choice.delta : {};
    const { tool_calls: calls = null, refusal } = delta;
    const content = contentIn(delta);
    if (content === undefined) return broken('content is no text');
    this.#hasContent ||= content !== null;
    this.#isRefused ||= typeof refusal === 'string' && refusal !== '';
    if (content) {
      this.#hasText = true;
      pieces.push({ kind: 'text', text: content });
    }
    if (calls !== null) {
      const fragments = this.#tools.take(calls);
      if (fragments === null) return broken('tool calls cannot be read');
      pieces.push(...fragments);
    }
    return this.#takeReason(choice.finish_reason);
  }

  #takeReason(native: unknown): UpstreamFailure | null {
    if (typeof native !== 'string' || native === '') return null;
    const finish = finishReason(native, this.#tools.count > 0);
    if (finish === null) return failure('server', 'gave up in the middle');
    if (this.#tools.hasUnnamed()) return broken('a tool call has no name');
    this.#lacksCalls = isCallEnding(native) && this.#tools.count === 0;
    this.#finish = finish;
    this.#ending = unknownEnding(native);
    return null;
  }

  ended(): StreamStep {
    if (this.#finish === null) return broken('the stream ended without finish_reason');
    if (!this.#hasText && this.#tools.count === 0) {
      const isBlocked = this.#finish === 'content_filter' || this.#isRefused;
      if (isBlocked) return failure('policy', 'the whole answer was blocked');
      // Without any text, only an exhausted token budget explains the missing content.
      const isMissing = this.#lacksCalls || (!this.#hasContent && this.#finish !== 'length');
      if (isMissing) return broken('no content');
    }
    return { kind: 'end', finish: this.#finish, usage: this.#usage, ...this.#ending };
  }
}

/** The text of a chunk that brings nothing else; null for any other. */
function onlyText(chunk: unknown): string | null {
  if (!isObject(chunk) || (chunk.error ?? null) !== null || (usageIn(chunk) ?? null) !== null) return null;
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
  const [choice] = choices;
  if (choices.length !== 1 || !isObject(choice) || !isFirst(choice.index)) return null;
  const { delta, finish_reason: reason = null } = choice;
  if (!isObject(delta) || (delta.tool_calls ?? null) !== null || (delta.refusal ?? null) !== null)
    return null;
  return reason === null && typeof delta.content === 'string' && delta.content !== '' ? delta.content : null;
}
