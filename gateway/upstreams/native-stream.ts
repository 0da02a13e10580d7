import type { AnswerEnd } from './answer-end.ts';
import type { BodyStep, UpstreamReply } from './call.ts';
import { createEventParser, type EventParser, type ServerEvent } from './event-parser.ts';
import { failure, type StreamPiece, type StreamStep, type Usage } from './outcome.ts';

/** Maximum length of a single event. */
const defaultMaxEventLength = 8 * 1024 * 1024;

/** How long counts may come after the end mark, and the mark after the finish reason and the counts. */
const countsMs = 1000;
const markMs = 2000;

const tooLong = failure('unusable', 'an event is too long', { isHalted: true });

/**
 * Interprets the events of one native stream: each stream has its own reader, each dialect its own kind of reader.
 */
export interface EventReader {
  /** Adds the content of the event to `pieces`. If it returns a step, the stream ends after those pieces. */
  take(event: ServerEvent, pieces: StreamPiece[]): StreamStep | null;
  /** How the stream ends when no more data comes; adds what may still go out to `pieces`. */
  ended(pieces: StreamPiece[]): StreamStep;
  /** Whether the end is credible: then a broken connection loses nothing. */
  readonly end: Pick<AnswerEnd, 'isCredible' | 'hiddenBytes'>;
  /** Usage as reported so far. */
  usage(): Usage | null;
}

/** Reads a native stream step by step. A step is the content of one read of the connection, so nothing is delayed. */
export class NativeStream {
  readonly #reply: UpstreamReply;
  readonly #reader: EventReader;
  readonly #parser: EventParser;
  /** The last step, kept back when it arrived together with pieces that must go first. */
  #ending: StreamStep | null = null;
  /** Events after the first one with content. The start of the caller's stream depends only on that first event. */
  #behindFirst: { readonly events: readonly ServerEvent[]; readonly isLast: boolean } | null = null;
  #hasBegun = false;
  /** The end has come without counts: some upstreams send them after it, and nothing else counts there. */
  #isUncounted = false;
  /** Counts have come before the end. */
  #hasEarlyCounts = false;

  /** `createParser` makes the parser that cuts the bytes into events of at most the given length. */
  constructor(
    reply: UpstreamReply,
    reader: EventReader,
    createParser: (maxEventLength: number) => EventParser = createEventParser,
  ) {
    this.#reply = reply;
    this.#reader = reader;
    this.#parser = createParser(defaultMaxEventLength);
  }

  lastUsage(): Usage | null {
    return this.#reader.usage();
  }

  get hiddenBytes(): number {
    return this.#reader.end.hiddenBytes;
  }

  hurry(withinMs: number): void {
    this.#reply.hurry(withinMs);
  }

  close(): void {
    this.#reply.close();
  }

  /** The next pieces, or how the stream ended. */
  async next(): Promise<StreamStep> {
    for (;;) {
      if (this.#ending !== null) return this.#ending;
      const step = this.#nextOfFirst() ?? this.#nextRead();
      const came = step instanceof Promise ? await step : step;
      if (came !== null) return came;
    }
  }

  #nextOfFirst(): StreamStep | null {
    if (this.#behindFirst === null) return null;
    const { events, isLast } = this.#behindFirst;
    this.#behindFirst = null;
    return isLast ? this.#takeLast(events) : this.#takeSome(events);
  }

  /** The content of the next read; null if it has nothing for the caller. */
  #nextRead(): Promise<StreamStep | null> | StreamStep | null {
    const reading = this.#reply.read();
    return reading instanceof Promise
      ? reading.then((read) => this.#takeRead(read))
      : this.#takeRead(reading);
  }

  #takeRead(read: BodyStep): StreamStep | null {
    switch (read.kind) {
      case 'client_left':
        return read;
      case 'failure':
        return this.#reader.end.isCredible || this.#isUncounted ? this.#finish([]) : read;
      case 'done':
        return this.#takeLast(this.#parser.finish());
      case 'bytes':
        return this.#takeSome(this.#parser.feed(read.bytes));
    }
  }

  #takeSome(events: readonly ServerEvent[] | null): StreamStep | null {
    const step = events === null ? this.#tooLong() : this.#take(events, false);
    if (step !== null && step.kind !== 'pieces') this.close();
    return step;
  }

  #takeLast(events: readonly ServerEvent[]): StreamStep {
    return this.#take(events, true) ?? this.#finish([]);
  }

  /**
   * Where counts came behind the end alone, nothing is missing but the mark, which some upstreams never send. Where they come with
   * every piece, more may follow.
   */
  #hurryToMark(): void {
    // Once that is known, the counts need not be worked out for every read.
    if (this.#hasEarlyCounts || this.#reader.usage() === null) return;
    if (this.#reader.end.isCredible) this.#reply.hurry(markMs);
    else this.#hasEarlyCounts = true;
  }

  /** No more data comes. */
  #finish(pieces: StreamPiece[]): StreamStep {
    const ending = this.#reader.ended(pieces);
    if (pieces.length === 0) return ending;
    this.#ending = ending;
    return { kind: 'pieces', pieces };
  }

  /** After the end, even an oversized event is not a failure. */
  #tooLong(): StreamStep {
    this.close();
    return this.#reader.end.isCredible ? this.#finish([]) : tooLong;
  }

  /** Interprets a batch of events; null if they contain nothing for the caller. */
  #take(events: readonly ServerEvent[], isLast: boolean): StreamStep | null {
    // Only data counts as progress: comments, empty lines and pings must not keep a caller waiting forever.
    if (events.some((event) => !isPing(event))) this.#reply.progress();
    const pieces: StreamPiece[] = [];
    let taken = 0;
    for (const event of events) {
      taken += 1;
      const ending = this.#reader.take(event, this.#isUncounted ? [] : pieces);
      if (this.#isUncounted) {
        if (this.#reader.usage() === null) continue;
        this.close();
        return this.#finish(pieces);
      }
      if (ending?.kind === 'end' && ending.usage === null && !isLast) {
        this.#isUncounted = true;
        this.#reply.hurry(countsMs);
        continue;
      }
      if (ending !== null) {
        if (pieces.length === 0) return ending;
        this.#ending = ending;
        this.close();
        return { kind: 'pieces', pieces };
      }
      if (this.#hasBegun || pieces.length === 0) continue;
      this.#hasBegun = true;
      const behind = events.slice(taken);
      if (behind.length === 0) break;
      this.#behindFirst = { events: behind, isLast };
      return { kind: 'pieces', pieces };
    }
    if (!isLast) this.#hurryToMark();
    if (pieces.length === 0) return null;
    return isLast ? this.#finish(pieces) : { kind: 'pieces', pieces };
  }
}

/** Events that only keep a connection alive, with or without a name (fault S5). */
function isPing({ name, data }: ServerEvent): boolean {
  return name === 'ping' || /^\{\s*"type"\s*:\s*"ping"\s*\}$/.test(data);
}
