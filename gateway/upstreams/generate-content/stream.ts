import { isObject, type JsonObject, parseObjectText } from '../../http/parse-json.ts';
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
import { classifyError, errorIn } from './classify.ts';
import { finishReason, unknownEnding } from './finish-reason.ts';
import type { FunctionCalls } from './function-calls.ts';
import { type NativeAnswer, withNative } from './native-answer.ts';
import { readUsage } from './read-usage.ts';

/** A placeholder value that means "not blocked". */
const noBlock = 'BLOCK_REASON_UNSPECIFIED';
const noReasons = ['', 'FINISH_REASON_UNSPECIFIED'];

/** Reads the responses of one answer: many in a stream, one otherwise. Their form is the same. */
export class ResponseReader implements EventReader {
  readonly #calls: FunctionCalls;
  readonly #native: NativeAnswer | null;
  #finish: FinishReason | null = null;
  #ending: { unknownEnding?: string } = {};
  #usage: Usage | null = null;
  #hasText = false;
  /** Some content has arrived, even if empty. */
  #hasContent = false;

  /** `native` is given when the caller uses this dialect too. */
  constructor(calls: FunctionCalls, native: NativeAnswer | null = null) {
    this.#calls = calls;
    this.#native = native;
  }

  get isFinished(): boolean {
    return this.#finish !== null;
  }

  usage(): Usage | null {
    return this.#usage;
  }

  take({ name, data }: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    // Not part of this dialect, but harmless.
    if (data.trim() === '[DONE]') return this.ended();
    const response = parseResponse(data);
    if (errorIn(response) !== null) return this.isFinished ? null : classifyError(response, 200, {});
    if (!isObject(response))
      return this.isFinished || isForeign(name) ? null : broken('a response is no object');
    const usage = readUsage(response.usageMetadata);
    if (usage === undefined) return broken('no sensible usage');
    this.#usage = usage ?? this.#usage;
    this.#native?.take(data);
    // Usually the only response; after some text it cuts the text short.
    if (isBlocked(response)) this.#finish ??= 'content_filter';
    const candidates: unknown[] = Array.isArray(response.candidates) ? response.candidates : [];
    for (const [i, candidate] of candidates.entries()) {
      if (!isObject(candidate) || !isFirst(candidate.index)) continue;
      if (!this.isFinished) this.#native?.turnTo(i);
      const problem = this.#takeCandidate(candidate, pieces);
      if (problem !== null) return problem;
    }
    // This stream has no end marker: nothing is awaited after the finish reason and the usage.
    return this.isFinished && usage !== null ? this.ended() : null;
  }

  ended(): StreamStep {
    if (this.#finish === null) return broken('the answer ended without finishReason');
    if (!this.#hasText && this.#calls.count === 0) {
      if (this.#finish === 'content_filter') return failure('policy', 'the whole answer was blocked');
      // Without any content, only an exhausted token budget explains the missing text.
      if (!this.#hasContent && this.#finish !== 'length') return broken('no content');
    }
    const native = this.#native?.end();
    const end = { kind: 'end' as const, finish: this.#finish, usage: this.#usage, ...this.#ending };
    return native === undefined ? end : { ...end, native };
  }

  #takeCandidate(candidate: JsonObject, pieces: StreamPiece[]): UpstreamFailure | null {
    // What comes after the end is not part of the answer.
    if (this.isFinished) return null;
    if (isObject(candidate.content)) {
      this.#hasContent = true;
      const { parts } = candidate.content;
      const problem = parts === undefined || parts === null ? null : this.#takeParts(parts, pieces);
      if (problem !== null) return problem;
    }
    if (typeof candidate.finishReason !== 'string' || noReasons.includes(candidate.finishReason)) return null;
    const finish = finishReason(candidate.finishReason, this.#calls.count > 0);
    if (finish === null) return failure('server', `gave up in the middle`);
    this.#finish = finish;
    this.#ending = unknownEnding(candidate.finishReason);
    return null;
  }

  #takeParts(parts: unknown, pieces: StreamPiece[]): UpstreamFailure | null {
    if (!Array.isArray(parts)) return broken('the parts are no list');
    for (const [i, part] of parts.entries()) {
      if (!isObject(part)) return broken('a part is no object');
      const read = this.#readPart(part);
      if (!Array.isArray(read)) return read;
      pieces.push(...(this.#native === null ? read : withNative(read, this.#native.part(i))));
    }
    return null;
  }

  #readPart(part: JsonObject): StreamPiece[] | UpstreamFailure {
    // Thoughts are counted, not shown.
    if (part.thought === true) return [];
    const { text = '' } = part;
    if (typeof text !== 'string') return broken('a text is no text');
    this.#hasText ||= text !== '';
    const calls = this.#calls.take(part);
    if (calls === null) return broken('a function call cannot be read');
    return text === '' ? calls : [{ kind: 'text', text }, ...calls];
  }
}

/** Call arguments are JSON inside this JSON: if there may be some, digits are kept and nesting is limited. */
function parseResponse(text: string): unknown {
  return text.includes('"functionCall"') ? parseObjectText(text.replace(/^\uFEFF/, '')) : parseJson(text);
}

function isBlocked({ promptFeedback }: JsonObject): boolean {
  const reason = isObject(promptFeedback) ? promptFeedback.blockReason : undefined;
  return typeof reason === 'string' && reason !== '' && reason !== noBlock;
}
