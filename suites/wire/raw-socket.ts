import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Translation } from '../profile/translation.ts';
import { tooLong } from './body-bounds.ts';
import type { TlsOptions } from './deployment-connection.ts';
import type { Exchange } from './exchange.ts';
import { readAnswers } from './raw-answers.ts';
import { type RawWords, rawWords } from './raw-words.ts';

export interface RawRequest {
  readonly baseUrl: string;
  readonly tls: TlsOptions;
  readonly translation?: Translation | undefined;
  /** Sent in this order; nothing is added. */
  readonly pieces: readonly (string | Buffer)[];
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** The pause between two pieces, ms; none, if absent. */
  readonly gapMs?: number;
  /** Whether our side ends the connection after the last piece, like a client that has no more to send. */
  readonly ends?: boolean;
  /** How long to listen for more after a complete answer, ms; `usualSettleMs`, if absent. */
  readonly settleMs?: number;
}

/** What a bare socket received: the answers in order, and whether the peer closed the connection. */
export interface RawAnswer {
  /** The first answer; without a response when there was none. */
  readonly exchange: Exchange;
  /** All answers, including the first; empty when there was none. */
  readonly answers: readonly Exchange[];
  readonly closed: boolean;
  readonly afterMs: number;
}

/** The longest answer that is read from a raw socket, bytes. */
const maxBytes = 4 * 1024 * 1024;

/** How long a connection may stay silent after a complete answer until nothing more is expected, ms. */
const usualSettleMs = 750;

/**
 * Sends bytes that no HTTP client would send.
 * Reads until the peer closes the connection, has answered, or the time is up.
 */
export function sendRaw(request: RawRequest): Promise<RawAnswer> {
  const words = wordsOf(request);
  const start = performance.now();
  const sentAt = Date.now();
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let error: string | null = null;
    let settled: NodeJS.Timeout | undefined;
    const socket = open(new URL(request.baseUrl), request.tls);
    const finish = (closed: boolean): void => {
      clearTimeout(limit);
      clearTimeout(settled);
      request.signal.removeEventListener('abort', stop);
      socket.destroy();
      const bytes = Buffer.concat(received);
      resolve({
        ...toExchanges(request, words, { bytes, closed, error, sentAt }),
        closed,
        afterMs: performance.now() - start,
      });
    };
    const stop = (): void => finish(false);
    const limit = setTimeout(stop, request.withinMs);
    request.signal.addEventListener('abort', stop, { once: true });
    let length = 0;
    socket.on('data', (bytes: Buffer) => {
      received.push(bytes);
      length += bytes.length;
      if (length > maxBytes) {
        error = tooLong(maxBytes);
        return stop();
      }
      clearTimeout(settled);
      if (readAnswers(Buffer.concat(received), false).at(-1)?.complete)
        settled = setTimeout(stop, request.settleMs ?? usualSettleMs);
    });
    socket.on('error', (cause) => {
      error = cause.message;
    });
    socket.on('close', () => finish(true));
    void write(socket, { ...request, pieces: words?.pieces ?? request.pieces });
  });
}

async function write(socket: Socket, { pieces, gapMs = 0, ends = false }: RawRequest): Promise<void> {
  for (const [at, piece] of pieces.entries()) {
    if (at > 0 && gapMs > 0) await wait(gapMs);
    if (socket.destroyed) return;
    socket.write(bytesOf(piece));
  }
  if (ends) socket.end();
}

function bytesOf(piece: string | Buffer): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

function open(url: URL, tls: TlsOptions): Socket {
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (!secure) return connectTcp({ host, port });
  return connectTls({ host, port, servername: host, ...tls });
}

function wordsOf({ baseUrl, translation, pieces }: RawRequest): RawWords | undefined {
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return translation === undefined ? undefined : rawWords(translation, basePath, pieces.map(bytesOf));
}

interface Received {
  readonly bytes: Buffer;
  readonly closed: boolean;
  readonly error: string | null;
  readonly sentAt: number;
}

function toExchanges(
  request: RawRequest,
  words: RawWords | undefined,
  { bytes, closed, error, sentAt }: Received,
): Pick<RawAnswer, 'exchange' | 'answers'> {
  const base = {
    label: 'raw bytes',
    request: {
      method: 'RAW',
      url: request.baseUrl,
      headers: [],
      body: Buffer.concat(request.pieces.map(bytesOf)),
    },
    sentAt,
    endedAt: Date.now(),
  };
  const carried = words && { ...base.request, body: Buffer.concat(words.pieces) };
  const answers = readAnswers(bytes, closed).map((answer) => ({
    ...base,
    response: { ...(words?.read(answer) ?? answer), firstByteMs: 0, endMs: 0 },
    error: answer.complete ? null : (error ?? 'the answer was cut short'),
    ...(carried && { carried: { request: carried, answer } }),
  }));
  const silence = closed ? 'closed without an answer' : `no answer within ${request.withinMs} ms`;
  const none = {
    ...base,
    response: null,
    error: bytes.length > 0 ? 'bytes that are not an HTTP answer' : (error ?? silence),
  };
  return { exchange: answers[0] ?? none, answers };
}
