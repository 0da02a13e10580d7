import { isObject, type JsonObject, parseExact } from '../../http/parse-json.ts';
import { AnswerEnd } from '../answer-end.ts';
import type { ServerEvent } from '../event-parser.ts';
import { broken, failureInWords } from '../json-frames.ts';
import type { EventReader } from '../native-stream.ts';
import type { StreamPiece, StreamStep, Usage } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { UsageTally } from '../usage/usage-tally.ts';
import { classifyError } from './classify.ts';
import { ContentBlocks } from './content-blocks.ts';
import type { Reading } from './reading.ts';

/** Reads the events of one messages stream. */
export class MessageReader implements EventReader {
  readonly end = new AnswerEnd();
  readonly #blocks: ContentBlocks;
  readonly #tally = new UsageTally();
  readonly #keepNative: boolean;
  /** All members of usage, for callers of this dialect; later ones replace earlier ones. */
  #counts: JsonObject = {};
  /** The fields of the end, with all digits. */
  #ending: JsonObject = {};

  constructor(reading: Reading) {
    this.#blocks = new ContentBlocks(reading);
    this.#keepNative = reading.keepNative;
    // A message without blocks is an answer: the model had nothing to say.
    this.end.sawContent();
  }

  usage(): Usage | null {
    return this.#tally.usage();
  }

  take({ name, data }: ServerEvent, pieces: StreamPiece[]): StreamStep | null {
    const event = parseJson(data);
    if (!isObject(event)) return this.#unreadable(name, data);
    this.#takeUsage(event);
    switch (typeOf(event, name)) {
      case 'content_block_start':
        this.#noteHidden(event.content_block);
        return this.#takeBlock(pieces, (said) =>
          this.#blocks.start(event.index, memberIn(data, 'content_block'), said),
        );
      case 'content_block_delta':
        if (!this.#keepNative && isObject(event.delta)) this.end.hides(event.delta.thinking);
        return this.#takeBlock(pieces, (said) =>
          this.#blocks.grow(event.index, this.#deltaIn(event, data), said),
        );
      case 'content_block_stop':
        return this.#takeBlock(pieces, (said) => this.#blocks.stop(event.index, said));
      case 'message_delta':
        return this.#takeReason(this.#deltaIn(event, data), pieces);
      case 'message_stop':
        // If no content has arrived, the stop may precede the text.
        return this.end.hasSaid ? this.ended(pieces) : null;
      case 'error':
        return this.end.isCredible ? null : classifyError(event, 200, {});
      default:
        // The start, pings, and unknown events.
        return null;
    }
  }

  /** Takes a whole message, with the exact form of its blocks. */
  takeMessage(message: JsonObject, blocks: readonly unknown[], pieces: StreamPiece[]): StreamStep | null {
    this.#takeUsage(message);
    for (const block of blocks) this.#noteHidden(block);
    const problem = this.#takeBlock(pieces, (said) =>
      blocks.every((block, i) => this.#blocks.start(i, block, said) && this.#blocks.stop(i, said)),
    );
    return problem ?? this.#takeReason(message, pieces);
  }

  /** What callers of other dialects never see. */
  #noteHidden(block: unknown): void {
    if (isObject(block) && block.type !== 'text' && block.type !== 'tool_use') this.end.sawHidden();
  }

  ended(pieces: StreamPiece[]): StreamStep {
    const problem = this.#takeBlock(pieces, (said) => this.#blocks.finish(said));
    const end = problem ?? this.end.ended(this.usage());
    if (!this.#keepNative || end.kind !== 'end') return end;
    return { ...end, native: { ...this.#ending, usage: this.#counts } };
  }

  /** Only callers of this dialect receive the delta itself: for others its digits need not be kept. */
  #deltaIn(event: JsonObject, data: string): unknown {
    return this.#keepNative ? memberIn(data, 'delta') : event.delta;
  }

  /** Unknown events need not be JSON, and nothing after the stop reason is part of the answer. */
  #unreadable(name: string, data: string): StreamStep | null {
    if (name === 'error' && !this.end.isCredible) return failureInWords(data);
    const isOurs = name === '' || /^(?:message|content_block)_/.test(name);
    return isOurs && !this.end.isCredible ? broken('an event is no JSON object') : null;
  }

  #takeBlock(
    pieces: StreamPiece[],
    take: (said: StreamPiece[]) => boolean,
    word?: unknown,
  ): StreamStep | null {
    const said: StreamPiece[] = [];
    if (take(said)) return this.end.take(said, word, pieces);
    return this.end.isCredible ? null : broken('a block cannot be read');
  }

  #takeUsage(event: JsonObject): void {
    this.#tally.take(event);
    if (!this.#keepNative) return;
    for (const holder of [event.message, event]) {
      const usage = isObject(holder) && isObject(holder.usage) ? holder.usage : {};
      const given = Object.entries(usage).filter(([, value]) => value !== null);
      this.#counts = { ...this.#counts, ...Object.fromEntries(given) };
    }
  }

  #takeReason(delta: unknown, pieces: StreamPiece[]): StreamStep | null {
    if (!isObject(delta) || typeof delta.stop_reason !== 'string') return null;
    const problem = this.#takeBlock(pieces, (said) => this.#blocks.finish(said), delta.stop_reason);
    if (this.end.native === delta.stop_reason) this.#ending = delta;
    return problem;
  }
}

function typeOf(event: JsonObject, name: string): string {
  // The error of some servers has its own type there.
  if (name === 'error') return name;
  if (typeof event.type === 'string') return event.type;
  return name === '' && isObject(event.error) ? 'error' : name;
}

/** A member of an event, with all digits of its numbers. */
function memberIn(data: string, name: 'content_block' | 'delta'): unknown {
  const event = parseExact(data);
  return isObject(event) ? event[name] : undefined;
}
