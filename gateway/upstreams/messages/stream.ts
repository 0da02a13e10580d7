import { isObject, type JsonObject, parseExact } from '../../http/parse-json.ts';
import type { ServerEvent } from '../event-parser.ts';
import type { EventReader } from '../native-stream.ts';
import { type FinishReason, failure, type StreamPiece, type StreamStep, type Usage } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { classifyError } from './classify.ts';
import { ContentBlocks } from './content-blocks.ts';
import { callEnding, finishReason, unknownEnding } from './finish-reason.ts';
import { readUsage } from './read-usage.ts';
import type { Reading } from './reading.ts';

/** Reads the events of one messages stream. */
export class MessageReader implements EventReader {
  readonly #blocks: ContentBlocks;
  #finish: FinishReason | null = null;
  /** Counts so far; later ones replace earlier ones. Input comes first, output grows to the end. */
  #counts: JsonObject | null = null;
  #usage: Usage | null = null;
  /** The answer states that it ends in tool calls but has no content. */
  #lacksCalls = false;
  #unknown: { unknownEnding?: string } = {};

  readonly #keepNative: boolean;
  /** The fields of the end, with all digits. */
  #ending: JsonObject = {};

  constructor(reading: Reading) {
    this.#blocks = new ContentBlocks(reading);
    this.#keepNative = reading.keepNative;
  }

  get isFinished(): boolean {
    return this.#finish !== null;
  }

  usage(): Usage | null {
    return this.#usage;
  }

  take({ name, data }: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    const event = parseJson(data);
    if (!isObject(event)) return this.#unreadable(name);
    switch (typeOf(event, name)) {
      case 'message_start':
        return this.#takeUsage(isObject(event.message) ? event.message.usage : undefined);
      case 'content_block_start':
        return this.#takeBlock(() =>
          this.#blocks.start(event.index, memberIn(data, 'content_block'), pieces),
        );
      case 'content_block_delta':
        return this.#takeBlock(() => this.#blocks.grow(event.index, this.#deltaIn(event, data), pieces));
      case 'content_block_stop':
        return this.#takeBlock(() => this.#blocks.stop(event.index, pieces));
      case 'message_delta':
        return this.#takeUsage(event.usage) ?? this.#takeReason(this.#deltaIn(event, data), pieces);
      case 'message_stop':
        return this.ended();
      case 'error':
        return this.#finish === null ? classifyError(event, 200, {}) : null;
      default:
        // Pings, and unknown events.
        return null;
    }
  }

  ended(): StreamStep {
    if (this.#finish === null) return failure('unusable', 'the stream ended without stop_reason');
    if (this.#finish === 'content_filter' && !this.#blocks.hasOutput) {
      return failure('policy', 'the whole answer was blocked');
    }
    if (this.#lacksCalls) return failure('unusable', 'an end in calls without any');
    const end = { kind: 'end' as const, finish: this.#finish, usage: this.#usage, ...this.#unknown };
    return this.#keepNative ? { ...end, native: { ...this.#ending, usage: this.#counts } } : end;
  }

  /** Only callers of this dialect receive the delta itself: for others its digits need not be kept. */
  #deltaIn(event: JsonObject, data: string): unknown {
    return this.#keepNative ? memberIn(data, 'delta') : event.delta;
  }

  /** Unknown events need not be JSON, and nothing after the stop reason is part of the answer. */
  #unreadable(name: string): StreamStep | null {
    const isOurs = name === '' || name === 'error' || /^(?:message|content_block)_/.test(name);
    return isOurs && this.#finish === null ? failure('unusable', 'an event is no JSON object') : null;
  }

  #takeBlock(take: () => boolean): StreamStep | null {
    // What comes after the stop reason is not part of the answer.
    if (this.#finish !== null || take()) return null;
    return failure('unusable', 'a block cannot be read');
  }

  #takeUsage(counts: unknown): StreamStep | null {
    if (!isObject(counts)) return null;
    const given = Object.entries(counts).filter(([, value]) => value !== null);
    this.#counts = { ...this.#counts, ...Object.fromEntries(given) };
    const usage = readUsage(this.#counts);
    if (usage === undefined) return failure('unusable', 'no sensible usage');
    this.#usage = usage;
    return null;
  }

  #takeReason(delta: unknown, pieces: StreamPiece[]): StreamStep | null {
    const native = isObject(delta) ? delta.stop_reason : null;
    if (typeof native !== 'string' || native === '' || this.#finish !== null) return null;
    if (!this.#blocks.finish(pieces)) return failure('unusable', 'a tool call has no name');
    this.#finish = finishReason(native, this.#blocks.callCount > 0);
    this.#unknown = unknownEnding(native);
    this.#lacksCalls = native === callEnding && !this.#blocks.hasOutput;
    if (isObject(delta)) this.#ending = delta;
    return null;
  }
}

function typeOf(event: JsonObject, name: string): string {
  if (typeof event.type === 'string') return event.type;
  return name === '' && isObject(event.error) ? 'error' : name;
}

/** A member of an event, with all digits of its numbers. */
function memberIn(data: string, name: 'content_block' | 'delta'): unknown {
  const event = parseExact(data);
  return isObject(event) ? event[name] : undefined;
}
