import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { BoundedLines } from './bounded-lines.ts';

/** Room for some thousand lines, so that a reader which pauses for a moment loses none. */
const maxWaitingBytes = 1_048_576;

/** How long the process waits at its end until the reader has taken the last lines, ms. */
const flushLimitMs = 1_000;

const warn = 40;

export interface Log {
  readonly log: Logger;
  /** How many lines were dropped. */
  readonly dropped: () => number;
  /** Writes the last lines, for a second at most. */
  flush(): Promise<void>;
}

/**
 * Logs JSON lines to the file descriptor, each with the fields of `base`. A stalled or lost reader never blocks the process.
 */
export function openLog(descriptor: number, base: Readonly<Record<string, number>> | null = null): Log {
  const lines = new BoundedLines({
    to: withoutBlocking(descriptor),
    maxWaitingBytes,
    tellDropped: (dropped) =>
      `${JSON.stringify({ level: warn, time: Date.now(), dropped, msg: 'log lines were dropped: their reader is too slow' })}\n`,
  });
  return {
    log: pino({ base }, lines),
    dropped: () => lines.dropped,
    flush: () => lines.flush(flushLimitMs),
  };
}

/** A file or a terminal accepts a write at once. A pipe or a socket may not, and gets non-blocking writes. */
function withoutBlocking(descriptor: number): Writable {
  const kind = fstatSync(descriptor);
  if (kind.isSocket()) return streamOf(descriptor);
  if (kind.isFIFO()) return streamOf(ownDescription(descriptor));
  return new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      writeSync(descriptor, text);
      done();
    },
  });
}

function streamOf(fd: number): Socket {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.unref();
  return socket;
}

/** The same pipe, opened once more: the non-blocking flag would otherwise be shared with other processes that write to it. */
function ownDescription(descriptor: number): number {
  try {
    const opened = openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
    if (fstatSync(opened).isFIFO()) return opened;
    closeSync(opened);
  } catch {
    // The system cannot reopen the pipe, or it has no reader: use the descriptor itself.
  }
  return descriptor;
}
