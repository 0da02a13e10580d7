import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { BoundedLines } from './bounded-lines.ts';

/** Some thousand lines, which a reader that pauses for a moment finds complete. */
const maxWaitingBytes = 1_048_576;

/** How long the end of the process waits for a reader of its last lines, ms. */
const flushLimitMs = 1_000;

const warn = 40;

export interface Log {
  readonly log: Logger;
  /** How many lines were dropped. */
  readonly dropped: () => number;
  /** Gives the last lines their chance, for a second at most. */
  flush(): Promise<void>;
}

/** Logs JSON lines to the file descriptor, each with what `base` says. A reader that stalls or goes away never holds up the process. */
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

/** A file or a terminal takes a write at once; a pipe or a socket may not, and gets writes that do not wait. */
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

/** The same pipe opened once more, so that whether writes wait is not shared with other processes that write to it. */
function ownDescription(descriptor: number): number {
  try {
    const opened = openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
    if (fstatSync(opened).isFIFO()) return opened;
    closeSync(opened);
  } catch {
    // Not on this system, or nobody reads: the descriptor itself does.
  }
  return descriptor;
}
