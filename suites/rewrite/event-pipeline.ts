import { StringDecoder } from 'node:string_decoder';
import { setTimeout as wait } from 'node:timers/promises';
import type { Mutation, ProxyRequest, WireForm } from './mutation.ts';

type Pieces = AsyncIterable<Buffer>;

/** Whether the mutation must see a stream event by event. */
export function readsEvents({ events, join, wire }: Mutation): boolean {
  const { lineEnd, heartbeatMs, gatherMs } = wire ?? {};
  return [events, join, lineEnd, heartbeatMs, gatherMs].some((part) => part !== undefined);
}

/**
 * Splits a stream into events, changes them and writes them again. Bytes after the last complete event pass
 * unchanged.
 */
export async function* changeEvents(
  source: Pieces,
  mutation: Mutation,
  request: ProxyRequest,
): AsyncGenerator<Buffer> {
  const { join, wire = {} } = mutation;
  const change = mutation.events?.(request) ?? passEvents;
  const splitter = new EventSplitter();
  const lineEnd = wire.lineEnd ?? '\n';
  const write = (events: readonly string[]): Buffer => bytesOf(events, lineEnd);
  const batches =
    wire.gatherMs === undefined ? eventsOf(source, splitter) : gathered(source, splitter, wire.gatherMs);
  const changed = written(join === undefined ? batches : joined(batches, join), change, write);
  yield* wire.heartbeatMs === undefined ? changed : withHeartbeats(changed, wire.heartbeatMs, lineEnd);
  const last = Buffer.concat([write(change(null)), Buffer.from(splitter.end())]);
  if (last.length > 0) yield last;
}

function passEvents(event: string | null): readonly string[] {
  return event === null ? [] : [event];
}

function bytesOf(events: readonly string[], lineEnd: NonNullable<WireForm['lineEnd']> | '\n'): Buffer {
  const text = events.map((event) => `${event}\n\n`).join('');
  return Buffer.from(text.replaceAll('\n', lineEnd));
}

/** The events of each read; reads without an event are left out. */
async function* eventsOf(source: Pieces, splitter: EventSplitter): AsyncGenerator<readonly string[]> {
  for await (const bytes of source) {
    const events = splitter.push(bytes);
    if (events.length > 0) yield events;
  }
}

async function* written(
  batches: AsyncIterable<readonly string[]>,
  change: (event: string) => readonly string[],
  write: (events: readonly string[]) => Buffer,
): AsyncGenerator<Buffer> {
  for await (const events of batches) {
    const bytes = write(events.flatMap((event) => change(event)));
    if (bytes.length > 0) yield bytes;
  }
}

/** Delays the events of a read, and joins those that arrive within the delay. */
async function* gathered(
  source: Pieces,
  splitter: EventSplitter,
  ms: number,
): AsyncGenerator<readonly string[]> {
  const batches = eventsOf(source, splitter);
  let next = batches.next();
  for (;;) {
    const first = await next;
    if (first.done) return;
    const together = [...first.value];
    const late = new AbortController();
    const limit = wait(ms, 'late' as const, { signal: late.signal }).catch(() => 'late' as const);
    for (;;) {
      next = batches.next();
      // An error in a later read also ends this stream, but only after everything before it has been sent.
      const more = await Promise.race([next.catch(() => 'late' as const), limit]);
      if (more === 'late' || more.done) break;
      together.push(...more.value);
    }
    late.abort();
    yield together;
  }
}

/** Joins neighbouring events of a batch. */
async function* joined(
  batches: AsyncIterable<readonly string[]>,
  join: (first: string, second: string) => string | null,
): AsyncGenerator<readonly string[]> {
  for await (const events of batches) {
    const out: string[] = [];
    for (const event of events) {
      const before = out.at(-1);
      const both = before === undefined ? null : join(before, event);
      if (both === null) out.push(event);
      else out[out.length - 1] = both;
    }
    yield out;
  }
}

/**
 * Sends a comment after each silence of this length. Pieces are whole events, so a comment may come between any
 * two.
 */
async function* withHeartbeats(
  pieces: AsyncGenerator<Buffer>,
  ms: number,
  lineEnd: string,
): AsyncGenerator<Buffer> {
  const beat = Buffer.from(`: heartbeat${lineEnd}${lineEnd}`);
  for (let next = pieces.next(); ; ) {
    const late = new AbortController();
    const limit = wait(ms, 'late' as const, { signal: late.signal }).catch(() => 'late' as const);
    const piece = await Promise.race([next, limit]);
    late.abort();
    if (piece === 'late') {
      yield beat;
      continue;
    }
    if (piece.done) return;
    yield piece.value;
    next = pieces.next();
  }
}

/** Splits the bytes of an event stream into events as they arrive. */
class EventSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** The events that are complete now, each without its blank line. */
  push(bytes: Buffer): string[] {
    this.#rest += this.#decoder.write(bytes);
    const events: string[] = [];
    for (let end = blankLine.exec(this.#rest); end !== null; end = blankLine.exec(this.#rest)) {
      events.push(this.#rest.slice(0, end.index).replaceAll(/\r\n|\r/g, '\n'));
      this.#rest = this.#rest.slice(end.index + end[0].length);
    }
    return events;
  }

  /** The rest of a stream that ended without a blank line. */
  end(): string {
    return this.#rest + this.#decoder.end();
  }
}

const blankLine = /\r\n\r\n|\n\n|\r\r/;
