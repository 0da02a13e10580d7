import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { UpstreamReply } from '../call.ts';
import { createEventParser, type ServerEvent } from '../event-parser.ts';
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

/** Longest single event that is taken. */
const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

/** Reads a native stream step by step. A step is whatever one read of the connection brought, so nothing is held back. */
export class NativeStream {
  readonly #reply: UpstreamReply;
  readonly #parser = createEventParser(MAX_EVENT_LENGTH);
  readonly #tools: ToolFragments;
  #finish: FinishReason | null = null;
  #usage: Usage | null = null;
  #hasText = false;
  /** The ending, when it arrived together with pieces that had to go first. */
  #ending: StreamStep | null = null;

  constructor(reply: UpstreamReply, newCallId: () => string) {
    this.#reply = reply;
    this.#tools = new ToolFragments(newCallId);
  }

  lastUsage(): Usage | null {
    return this.#usage;
  }

  close(): void {
    this.#reply.close();
  }

  /** The next pieces, or how the stream ended. */
  async next(): Promise<StreamStep> {
    for (;;) {
      if (this.#ending !== null) return this.#ending;
      const read = await this.#reply.read();
      switch (read.kind) {
        case 'client_left':
          return read;
        case 'failure':
          // What happens to the connection after the answer is complete is nobody's loss.
          return this.#finish === null ? read : this.#ended();
        case 'done':
          return this.#take(this.#parser.finish(), true) ?? this.#ended();
        case 'bytes': {
          const events = this.#parser.feed(read.bytes);
          const step =
            events === null ? failure('unusable', 'an event is too long') : this.#take(events, false);
          if (step === null) continue;
          if (step.kind !== 'pieces') this.close();
          return step;
        }
      }
    }
  }

  /** What a batch of events means; null when they carry nothing for the caller. */
  #take(events: readonly ServerEvent[], isLast: boolean): StreamStep | null {
    // Only data is progress: comments and empty lines keep nobody waiting for ever.
    if (events.length > 0) this.#reply.progress();
    const pieces: StreamPiece[] = [];
    for (const event of events) {
      const outcome = this.#takeEvent(event, pieces);
      if (outcome === null) continue;
      if (pieces.length === 0) return outcome;
      this.#ending = outcome;
      this.close();
      return { kind: 'pieces', pieces };
    }
    if (pieces.length === 0) return null;
    if (isLast) this.#ending = this.#ended();
    return { kind: 'pieces', pieces };
  }

  #takeEvent(event: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    if (event.data === '[DONE]') return this.#ended();
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

  #ended(): StreamStep {
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
