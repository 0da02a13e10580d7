import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { ServerEvent } from '../event-parser.ts';
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
import { finishReason } from './finish-reason.ts';
import { readUsage } from './read-usage.ts';
import { ToolFragments } from './tool-fragments.ts';

/** Reads the chunks of one chat-completions stream. */
export class ChunkReader implements EventReader {
  readonly #tools: ToolFragments;
  #finish: FinishReason | null = null;
  #usage: Usage | null = null;
  #hasText = false;

  constructor(newCallId: () => string) {
    this.#tools = new ToolFragments(newCallId);
  }

  get isFinished(): boolean {
    return this.#finish !== null;
  }

  usage(): Usage | null {
    return this.#usage;
  }

  take(event: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    if (event.data === '[DONE]') return this.ended();
    const chunk = parseJson(event.data);
    if (!isObject(chunk)) return this.#broken('an event is no JSON object');
    if (event.name === 'error' || (chunk.error !== undefined && chunk.error !== null)) {
      return this.#finish === null ? classifyError(chunk, 200, {}) : null;
    }
    const usage = readUsage(chunk.usage);
    if (usage === undefined) return failure('unusable', 'no sensible usage');
    this.#usage = usage ?? this.#usage;
    const choices: unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
    for (const choice of choices) {
      if (!isObject(choice) || (choice.index !== undefined && choice.index !== 0)) continue;
      const problem = this.#takeChoice(choice, pieces);
      if (problem !== null) return problem;
    }
    return null;
  }

  #takeChoice(choice: JsonObject, pieces: StreamPiece[]): UpstreamFailure | null {
    // Frames after the end are no part of the answer.
    if (this.#finish !== null) return null;
    const delta = isObject(choice.delta) ? choice.delta : {};
    const { content = null, tool_calls: calls = null } = delta;
    if (content !== null && typeof content !== 'string') return this.#broken('content is no text');
    if (content) {
      this.#hasText = true;
      pieces.push({ kind: 'text', text: content });
    }
    if (calls !== null) {
      const fragments = this.#tools.take(calls);
      if (fragments === null) return this.#broken('tool calls cannot be read');
      pieces.push(...fragments);
    }
    if (typeof choice.finish_reason !== 'string') return null;
    const finish = finishReason(choice.finish_reason, this.#tools.count > 0);
    if (finish === null) return failure('server', 'gave up in the middle');
    if (this.#tools.hasUnnamed()) return this.#broken('a tool call has no name');
    this.#finish = finish;
    return null;
  }

  ended(): StreamStep {
    if (this.#finish === null) return failure('unusable', 'the stream ended without finish_reason');
    if (this.#finish === 'content_filter' && !this.#hasText && this.#tools.count === 0) {
      return failure('policy', 'the whole answer was blocked');
    }
    return { kind: 'end', finish: this.#finish, usage: this.#usage };
  }

  #broken(what: string): UpstreamFailure {
    return failure('unusable', what);
  }
}
