import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { isTooLong, type LargeBodies, tooLong, usualBytes } from './body-bounds.ts';
import { decoded } from './content-coding.ts';
import { abortWith, Deadline } from './deadline.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import { type Answering, type Arrival, carriedOf, finished, keepBeginning } from './finished-exchange.ts';
import { inTurn, type RawAnswer } from './in-turn.ts';
import type { Pace } from './pace.ts';
import { closedWhileIdle } from './stale-connection.ts';
import type { AnswerReader } from './translate-answer.ts';
import type { Words } from './words.ts';

/** An exchange in flight. A check can read what has arrived so far, and can disconnect. */
export interface LiveExchange {
  /** Resolves with the status once the head has arrived, or with null when there is none. */
  readonly head: Promise<number | null>;
  readonly arrivals: readonly Arrival[];
  /**
   * Resolves true once the text so far satisfies `enough`; false when the exchange ended first or after
   * `withinMs`.
   */
  until(enough: (text: string) => boolean, withinMs: number): Promise<boolean>;
  /** Closes the connection, as a client that disconnects. */
  abort(): void;
  /** The whole exchange, once it is over. Never rejects. */
  readonly done: Promise<Exchange>;
}

export interface LiveOptions {
  readonly label: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** How long the caller has waited for the clock, ms; the timeout does not count this. */
  readonly waitedMs?: (() => number) | undefined;
  /** The longest body that is read, in bytes after decoding; `usualBytes` by default. */
  readonly maxBytes?: number;
  /** The size of the chunks in which the body is sent, without a length; as a whole by default. */
  readonly chunkBytes?: number | undefined;
  /** The queue for unusually long bodies. */
  readonly large?: LargeBodies;
  /** The translation for a deployment with a dialect. */
  readonly words?: Words | undefined;
  /** Says when it may be sent, where the deployment limits calls by time. */
  readonly pace?: Pace | null | undefined;
  /** Opens a connection for each call. A call is sent again on it when the server had closed the idle one that it was on. */
  readonly unused?: Dispatcher;
}

function travelling(body: Buffer, chunkBytes: number | undefined): Buffer | Readable {
  if (chunkBytes === undefined) return body;
  const count = Math.ceil(body.length / chunkBytes);
  return Readable.from(
    Array.from({ length: count }, (_, at) => body.subarray(at * chunkBytes, (at + 1) * chunkBytes)),
  );
}

type Head = ReturnType<AnswerReader['end']>['head'];

/** Sends a request through `dispatcher` and follows its answer as it arrives. */
export function openExchange(
  dispatcher: Dispatcher,
  request: SentRequest,
  options: LiveOptions,
): LiveExchange {
  const { maxBytes = usualBytes, large, words, pace } = options;
  const leave = new AbortController();
  const { signal } = leave;
  const deadline = new Deadline(options.timeoutMs, options.waitedMs);
  const unlink = abortWith(leave, [options.signal, deadline.signal]);
  const progress: Answering = {
    status: null,
    headers: [],
    arrivals: [],
    firstByteMs: 0,
    complete: false,
    error: null,
    isLeft: false,
    carried: null,
  };
  const changes = new EventTarget();
  const changed = (): boolean => changes.dispatchEvent(new Event('change'));
  const head = Promise.withResolvers<number | null>();
  let sentAt = Date.now();
  let start = performance.now();

  const sees = (pieces: readonly Buffer[]): void => {
    for (const bytes of pieces) progress.arrivals.push({ atMs: performance.now() - start, bytes });
    changed();
  };
  const begins = ({ status, headers }: Head): void => {
    Object.assign(progress, { status, headers });
    head.resolve(status);
    changed();
  };

  const askOn = async (connections: Dispatcher): Promise<RawAnswer> => {
    const sent = words?.carried ?? request;
    const url = new URL(sent.url);
    sentAt = Date.now();
    start = performance.now();
    const { statusCode, headers, body } = await connections.request({
      origin: url.origin,
      path: rawPath(sent.url, url),
      method: sent.method as Dispatcher.HttpMethod,
      headers: sent.headers.flat(),
      body: sent.body.length > 0 ? travelling(sent.body, options.chunkBytes) : null,
      responseHeaders: 'raw',
      headersTimeout: 0,
      bodyTimeout: 0,
      signal,
    });
    return { status: statusCode, headers: pairs(headers as unknown as (Buffer | string)[]), body };
  };
  const ask = (): Promise<RawAnswer> =>
    askOn(dispatcher).catch((error: unknown) => {
      if (options.unused === undefined || !closedWhileIdle(error)) throw error;
      return askOn(options.unused);
    });
  const receive = async (): Promise<void> => {
    const { body, ...first } = pace ? await inTurn(ask, { pace, deadline, signal }) : await ask();
    progress.firstByteMs = performance.now() - start;
    const reader = words?.reader(first);
    if (reader !== undefined) progress.carried = { ...first, pieces: [] };
    if (reader?.head !== null) begins(reader?.head ?? first);
    try {
      for await (const bytes of decoded(body, codingOf(first.headers))) {
        await makeRoom(bytes.length);
        progress.carried?.pieces.push(bytes);
        sees(reader?.push(bytes) ?? [bytes]);
      }
    } catch (error) {
      if (reader !== undefined) finish(reader.broken());
      throw error;
    }
    if (reader !== undefined) finish(reader.end());
    progress.complete = true;
  };
  const finish = ({ head: last, rest }: ReturnType<AnswerReader['end']>): void => {
    begins(last);
    sees(rest);
  };

  let length = 0;
  let isLarge = false;
  const makeRoom = async (more: number): Promise<void> => {
    length += more;
    if (length > maxBytes) throw new Error(tooLong(maxBytes));
    if (length <= usualBytes || isLarge || large === undefined) return;
    deadline.pause();
    await large.enter();
    isLarge = true;
    deadline.resume();
  };

  const done = receive()
    .catch((error: unknown) => {
      progress.isLeft = signal.aborted || isTooLong({ error: describe(error) });
      progress.error = deadline.signal.aborted ? `no end within ${options.timeoutMs} ms` : describe(error);
      // A long answer that was left in the middle would be copied whole.
      if (isTooLong(progress) || length > usualBytes) keepBeginning(progress.arrivals);
    })
    .then(() => {
      deadline.clear();
      unlink();
      if (isLarge) large?.leave();
      head.resolve(progress.status);
      changed();
      const answered = { ...progress, label: options.label, sentAt, endMs: performance.now() - start };
      const exchange = finished(asSent(request, options), answered);
      return words === undefined
        ? exchange
        : { ...exchange, carried: carriedOf(asSent(words.carried, options), progress) };
    });
  const over = done.then(() => true);

  return {
    head: head.promise,
    arrivals: progress.arrivals,
    abort: () => leave.abort(),
    done,
    until: async (enough, withinMs) => {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      let [text, read] = ['', 0];
      const satisfied = (): boolean => {
        for (const { bytes } of progress.arrivals.slice(read))
          text += decoder.decode(bytes, { stream: true });
        read = progress.arrivals.length;
        return enough(text);
      };
      const late = new AbortController();
      const limit = wait(withinMs, 'late' as const, { signal: late.signal }).catch(() => 'late' as const);
      try {
        while (!satisfied()) {
          const next = new Promise<'change'>((resolve) =>
            changes.addEventListener('change', () => resolve('change'), { once: true, signal: late.signal }),
          );
          const outcome = await Promise.race([next, limit, over]);
          if (outcome !== 'change') return satisfied();
        }
        return true;
      } finally {
        late.abort();
      }
    },
  };
}

function asSent(request: SentRequest, { chunkBytes }: LiveOptions): SentRequest {
  return chunkBytes === undefined ? request : { ...request, isChunked: true };
}

/** Path and query as written, because `URL` would normalise what a check sends on purpose. */
function rawPath(text: string, url: URL): string {
  const path = text.slice(text.indexOf('://') + 3).replace(/^[^/?#]*/, '');
  return path === '' ? '/' : path.startsWith('/') ? path : `${url.pathname}${url.search}`;
}

/** The content codings of the body, in the order of the header. */
function codingOf(headers: readonly (readonly [string, string])[]): string {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value)
    .join(', ');
}

function pairs(raw: (Buffer | string)[]): [string, string][] {
  const found: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    found.push([String(raw[index]), String(raw[index + 1])]);
  return found;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown transport error';
  const code = (error as NodeJS.ErrnoException).code;
  // OpenSSL's message ends with a line break.
  const message = error.message.replaceAll(/\s+/g, ' ').trim();
  return code ? `${code}: ${message}` : message || error.name;
}
