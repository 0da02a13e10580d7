import { isObject, type JsonObject, parseObjectText } from '../../http/parse-json.ts';
import { AnswerEnd } from '../answer-end.ts';
import type { ServerEvent } from '../event-parser.ts';
import { broken, isFirst, isForeign } from '../json-frames.ts';
import type { EventReader } from '../native-stream.ts';
import type { StreamPiece, StreamStep, UpstreamFailure, Usage } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { UsageTally } from '../usage/usage-tally.ts';
import { classifyError, errorIn } from './classify.ts';
import type { FunctionCalls } from './function-calls.ts';
import { type NativeAnswer, withNative } from './native-answer.ts';
import { inJsonNames } from './proto-names.ts';

/** A placeholder value that means "not blocked". */
const noBlock = 'BLOCK_REASON_UNSPECIFIED';

/** Reads the responses of one answer: many in a stream, one otherwise. Their form is the same. */
export class ResponseReader implements EventReader {
  readonly end = new AnswerEnd();
  readonly #calls: FunctionCalls;
  readonly #native: NativeAnswer | null;
  readonly #tally = new UsageTally();

  /** `native` is given when the caller uses this dialect too. */
  constructor(calls: FunctionCalls, native: NativeAnswer | null = null) {
    this.#calls = calls;
    this.#native = native;
  }

  usage(): Usage | null {
    return this.#tally.usage();
  }

  take({ name, data: sent }: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    const data = inJsonNames(sent);
    // Not part of this dialect, but harmless.
    if (data.trim() === '[DONE]') return this.end.hasSaid ? this.ended() : null;
    const response = parseResponse(data);
    if (errorIn(response) !== null) return this.end.isCredible ? null : classifyError(response, 200, {});
    if (!isObject(response))
      return this.end.isCredible || isForeign(name) ? null : broken('a response is no object');
    this.#tally.take(response);
    this.#calls.nextResponse();
    this.#native?.take(data);
    // Usually the only response; after some text it cuts the text short.
    if (isBlocked(response)) this.end.take([], 'SAFETY', pieces);
    const candidates: unknown[] = Array.isArray(response.candidates) ? response.candidates : [];
    // A model that brings out nothing is not its channel's failure.
    if (candidates.length === 0 && this.usage() !== null) this.end.vanished();
    for (const [i, candidate] of candidates.entries()) {
      if (!isObject(candidate) || !isFirst(candidate.index)) continue;
      const problem = this.#takeCandidate(candidate, i, pieces);
      if (problem !== null) return problem;
    }
    // This stream has no end marker: nothing is awaited after a credible end and the usage.
    const isCounted = response.usageMetadata !== undefined && response.usageMetadata !== null;
    return this.end.isCredible && isCounted ? this.ended() : null;
  }

  ended(): StreamStep {
    const end = this.end.ended(this.usage());
    const native = this.#native?.end();
    return native === undefined || end.kind !== 'end' ? end : { ...end, native };
  }

  #takeCandidate(candidate: JsonObject, place: number, pieces: StreamPiece[]): UpstreamFailure | null {
    this.#native?.turnTo(place);
    const said: StreamPiece[] = [];
    if (isObject(candidate.content)) {
      const parts = candidate.content.parts ?? [];
      // The model was at work, and no word of it came out.
      if (Array.isArray(parts) && parts.length === 0) this.end.sawHidden();
      const problem = this.#takeParts(parts, said);
      if (problem !== null) return this.end.isCredible ? null : problem;
    }
    if (said.some(({ kind }) => kind === 'text')) this.#tally.sawPiece();
    return this.end.take(said, candidate.finishReason, pieces);
  }

  #takeParts(parts: unknown, pieces: StreamPiece[]): UpstreamFailure | null {
    if (!Array.isArray(parts)) return broken('the parts are no list');
    for (const [i, part] of parts.entries()) {
      if (!isObject(part)) return broken('a part is no object');
      if (this.#calls.isRepeat(part)) continue;
      const read = this.#readPart(part);
      if (!Array.isArray(read)) return read;
      pieces.push(...(this.#native === null ? read : withNative(read, this.#native.part(i))));
    }
    return null;
  }

  #readPart(part: JsonObject): StreamPiece[] | UpstreamFailure {
    // Thoughts are counted, not shown.
    if (part.thought === true) {
      this.end.hides(part.text);
      return [];
    }
    const { functionCall } = part;
    const text = part.text ?? '';
    if (typeof text !== 'string') return broken('a text is no text');
    if (typeof part.text === 'string') this.end.sawContent();
    else if (functionCall === undefined) this.end.sawHidden();
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
