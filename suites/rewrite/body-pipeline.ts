import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';
import { changeEvents, readsEvents } from './event-pipeline.ts';
import type { Mutation, ProxyRequest } from './mutation.ts';

type Pieces = AsyncIterable<Buffer>;

/** The bytes of an event stream after the mutation, passed on as they arrive. */
export function mutateStream(
  source: Pieces,
  mutation: Mutation,
  request: ProxyRequest,
  gzip: boolean,
): Pieces {
  const { wire } = mutation;
  let pieces = readsEvents(mutation) ? changeEvents(source, mutation, request) : source;
  if (gzip) pieces = gzipped(pieces, wire?.gzip === 'unflushed');
  return wire?.bytesPerWrite === undefined ? pieces : chopped(pieces, wire.bytesPerWrite);
}

/** All bytes at once, after the last has arrived. */
export async function collect(source: Pieces): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const bytes of source) parts.push(bytes);
  return Buffer.concat(parts);
}

async function* gzipped(source: Pieces, unflushed: boolean): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  const ready: Buffer[] = [];
  gzip.on('data', (bytes: Buffer) => ready.push(bytes));
  for await (const bytes of source) {
    gzip.write(bytes);
    if (unflushed) continue;
    await flushed(gzip);
    yield Buffer.concat(ready.splice(0));
  }
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  gzip.end();
  await ended;
  yield Buffer.concat(ready.splice(0));
}

/** Flushes each piece completely, so that a reader can decode everything sent so far. */
function flushed(gzip: Gzip): Promise<void> {
  return new Promise((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, () => resolve()));
}

/**
 * The part of a stream that is split into small writes, bytes. Splitting a megabyte into 100,000 writes takes longer than a
 * check may.
 */
const splitBytes = 64 * 1024;

async function* chopped(source: Pieces, size: number): AsyncGenerator<Buffer> {
  let left = splitBytes;
  for await (const bytes of source) {
    const end = Math.min(left, bytes.length);
    left -= end;
    for (let at = 0; at < end; at += size) {
      yield bytes.subarray(at, Math.min(at + size, end));
      // Pieces written in one turn of the event loop would leave as one packet.
      await nextTurn();
    }
    if (end < bytes.length) yield bytes.subarray(end);
  }
}
