import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { collect, mutateStream } from './body-pipeline.ts';
import { readsEvents } from './event-pipeline.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from './mutation.ts';
import {
  acceptsGzip,
  type HeaderList,
  headerOf,
  isEventStream,
  withHeader,
  withoutHeaders,
} from './proxy-headers.ts';

/** The status line and headers of an answer from behind. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  /** End-to-end headers only. */
  readonly headers: HeaderList;
  /** The server behind closes its connection after this answer, so ours is closed too. */
  readonly close: boolean;
}

/** Statuses that never have a body. */
const bodiless = [204, 304];

/** Sends a complete answer. */
export function sendWhole(
  outgoing: ServerResponse,
  answer: ProxyAnswer & AnswerHead,
  request: ProxyRequest,
  mutation: Mutation,
): void {
  const gzip = Boolean(mutation.wire?.gzip) && answer.body.length > 0 && mayCompress(answer.headers, request);
  const body = gzip ? gzipSync(answer.body) : answer.body;
  const headers = gzip ? compressedHead(answer.headers) : answer.headers;
  if (request.method === 'HEAD' || bodiless.includes(answer.status)) {
    writeHead(outgoing, { ...answer, headers });
    outgoing.end();
    return;
  }
  const chunked = headerOf(headers, 'transfer-encoding').toLowerCase() === 'chunked';
  const framed = chunked
    ? withoutHeaders(headers, 'content-length', 'transfer-encoding')
    : withHeader(headers, 'content-length', String(body.length));
  writeHead(outgoing, { ...answer, headers: framed });
  // Written before the end, because Node adds a Content-Length to a single `end`.
  if (chunked && body.length > 0) outgoing.write(body);
  outgoing.end(chunked ? undefined : body);
}

/**
 * Passes an answer on as it arrives: the head first, then each piece at once. Only event streams are changed.
 */
export async function sendStream(
  outgoing: ServerResponse,
  head: AnswerHead,
  body: Readable,
  request: ProxyRequest,
  mutation: Mutation,
): Promise<void> {
  const events = isEventStream(head.headers);
  const gzip = Boolean(mutation.wire?.gzip) && mayCompress(head.headers, request);
  const changed = events ? mutateStream(body, mutation, request, gzip) : body;
  if ((events && mutation.withhold) || (gzip && !events)) {
    const whole = { ...streamHead(head, events, mutation), body: await collect(changed) };
    if (events)
      sendWhole(outgoing, gzip ? { ...whole, headers: compressedHead(whole.headers) } : whole, request, {});
    else sendWhole(outgoing, whole, request, mutation);
    return;
  }
  const touched = events && (readsEvents(mutation) || mutation.wire !== undefined);
  const plain = touched ? withoutHeaders(head.headers, 'content-length') : head.headers;
  writeHead(
    outgoing,
    streamHead({ ...head, headers: gzip ? compressedHead(plain) : plain }, events, mutation),
  );
  // Sends the head now. `flushHeaders()` would write it as UTF-8, but header values are bytes.
  outgoing.write(Buffer.alloc(0));
  for await (const bytes of changed) {
    if (!outgoing.write(bytes)) await drainedOrClosed(outgoing);
  }
  outgoing.end();
}

function drainedOrClosed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

/** Closes the client's connection in the same way as the server's was closed: by a reset, or in the middle of the answer. */
export function breakOff(outgoing: ServerResponse, error: unknown): void {
  const socket = outgoing.socket;
  if (socket === null || outgoing.writableFinished) return;
  if (isReset(error)) socket.resetAndDestroy();
  else socket.destroySoon();
}

function isReset(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE';
}

function streamHead(head: AnswerHead, events: boolean, mutation: Mutation): AnswerHead {
  return events && mutation.streamHead !== undefined ? { ...head, ...mutation.streamHead(head) } : head;
}

function mayCompress(headers: HeaderList, request: ProxyRequest): boolean {
  return acceptsGzip(request.headers) && headerOf(headers, 'content-encoding') === '';
}

function compressedHead(headers: HeaderList): [string, string][] {
  return [
    ...withoutHeaders(headers, 'content-length'),
    ['content-encoding', 'gzip'],
    ['vary', 'accept-encoding'],
  ];
}

function writeHead(outgoing: ServerResponse, head: AnswerHead): void {
  outgoing.sendDate = false;
  const headers = head.close ? [...head.headers, ['connection', 'close'] as const] : head.headers;
  const flat = headers.flat();
  if (head.statusText === '') outgoing.writeHead(head.status, flat);
  else outgoing.writeHead(head.status, head.statusText, flat);
}
