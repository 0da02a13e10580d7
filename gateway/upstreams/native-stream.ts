import type { UpstreamReply } from './call.ts';
import { createEventParser, type EventParser, type ServerEvent } from './event-parser.ts';
import { failure, type StreamPiece, type StreamStep, type Usage } from './outcome.ts';

/** Longest single event that is taken. */
const defaultMaxEventLength = 8 * 1024 * 1024;

/** What the events of one native stream mean: one reader a stream, one kind of reader a dialect. */
export interface EventReader {
  /** Adds what the event brings to `pieces`; a step that is returned ends the stream after them. */
  take(event: ServerEvent, pieces: StreamPiece[]): StreamStep | null;
  /** How the stream ends when nothing more comes. */
  ended(): StreamStep;
  /** The reason of the end has been seen: what happens to the connection afterwards is nobody's loss. */
  readonly isFinished: boolean;
  /** Usage as last reported. */
  usage(): Usage | null;
}

/** Reads a native stream step by step. A step is whatever one read of the connection brought, so nothing is held back. */
export class NativeStream {
  readonly #reply: UpstreamReply;
  readonly #reader: EventReader;
  readonly #parser: EventParser;
  /** The ending, when it arrived together with pieces that had to go first. */
  #ending: StreamStep | null = null;

  /** `createParser` cuts the bytes into events, of at most the given length. */
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
      const read = await this.#reply.read();
      switch (read.kind) {
        case 'client_left':
          return read;
        case 'failure':
          return this.#reader.isFinished ? this.#reader.ended() : read;
        case 'done':
          return this.#take(this.#parser.finish(), true) ?? this.#reader.ended();
        case 'bytes': {
          const events = this.#parser.feed(read.bytes);
          const step = events === null ? this.#tooLong() : this.#take(events, false);
          if (step === null) continue;
          if (step.kind !== 'pieces') this.close();
          return step;
        }
      }
    }
  }

  /** Behind the reason of the end nothing can go wrong any more. */
  #tooLong(): StreamStep {
    return this.#reader.isFinished ? this.#reader.ended() : failure('unusable', 'an event is too long');
  }

  /** What a batch of events means; null when they carry nothing for the caller. */
  #take(events: readonly ServerEvent[], isLast: boolean): StreamStep | null {
    // Only data is progress: comments, empty lines and pings keep nobody waiting for ever.
    if (events.some((event) => !isPing(event))) this.#reply.progress();
    const pieces: StreamPiece[] = [];
    for (const event of events) {
      const ending = this.#reader.take(event, pieces);
      if (ending === null) continue;
      if (pieces.length === 0) return ending;
      this.#ending = ending;
      this.close();
      return { kind: 'pieces', pieces };
    }
    if (pieces.length === 0) return null;
    if (isLast) this.#ending = this.#reader.ended();
    return { kind: 'pieces', pieces };
  }
}

/** Events that only keep a connection alive, with or without a name (fault S5). */
function isPing({ name, data }: ServerEvent): boolean {
  return name === 'ping' || /^\{\s*"type"\s*:\s*"ping"\s*\}$/.test(data);
}
