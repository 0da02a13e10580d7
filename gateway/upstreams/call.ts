import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Agent, request } from 'undici';
import type { Clock } from '../clock.ts';
import type { UpstreamLimits } from '../config.ts';
import { type ClientLeft, failure, type UpstreamFailure } from './outcome.ts';
import { transportFailure } from './transport-errors.ts';

/** One POST to an upstream. */
export interface UpstreamRequest {
  readonly url: string;
  /** The dialect's own: its credential and its version. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly accept: string;
  /** Aborts when the caller is gone. */
  readonly gone: AbortSignal;
  /** Total time for this call, when it is to be shorter than the configured one. */
  readonly withinMs?: number;
}

/** What the next read of an answer's body brought. */
export type BodyStep =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'done' }
  | UpstreamFailure
  | ClientLeft;

/** The head of an answer, and its body still to be read. */
export interface UpstreamReply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next bytes; never rejects. Waits at most the idle time since the last `progress`. */
  read(): Promise<BodyStep>;
  /** Says that what was read counts as progress: the idle time begins anew. */
  progress(): void;
  /** Gives the rest of the answer only this long. */
  hurry(withinMs: number): void;
  /** Ends the call: the rest of the answer is not wanted. */
  close(): void;
}

/** How much of an unwanted rest is read to keep the connection, and how long that may take. */
const REST_BYTES = 16 * 1024;
const REST_MS = 1000;

/** One attempt at an upstream, with its deadlines. Everything that goes wrong is a returned value. */
export class Call {
  readonly #agent: Agent;
  readonly #limits: UpstreamLimits;
  readonly #clock: Clock;
  readonly #gone: AbortSignal;
  readonly #abort = new AbortController();
  readonly #leave = (): void => this.#abort.abort();
  readonly #total: { cancel(): void };
  #rest: { cancel(): void } | null = null;
  #isOver = false;
  #deadline: string | null = null;
  #idleLeftMs: number;
  #length = 0;

  constructor(agent: Agent, limits: UpstreamLimits, clock: Clock, { gone, withinMs }: UpstreamRequest) {
    this.#agent = agent;
    this.#limits = limits;
    this.#clock = clock;
    this.#gone = gone;
    this.#idleLeftMs = limits.idle_timeout_ms;
    this.#total = this.#limit('total', Math.min(limits.total_timeout_ms, withinMs ?? Infinity));
    gone.addEventListener('abort', this.#leave, { once: true });
  }

  async send(outgoing: UpstreamRequest): Promise<UpstreamReply | UpstreamFailure | ClientLeft> {
    if (this.#gone.aborted) return this.#end({ kind: 'client_left' });
    const firstByte = this.#limit('first byte', this.#limits.first_byte_timeout_ms);
    try {
      const { statusCode, headers, body } = await request(outgoing.url, {
        method: 'POST',
        dispatcher: this.#agent,
        signal: this.#abort.signal,
        body: outgoing.body,
        headers: {
          ...outgoing.headers,
          'content-type': 'application/json',
          accept: outgoing.accept,
          'accept-encoding': 'identity',
        },
      });
      return this.#reply(statusCode, headers, body);
    } catch (error) {
      return this.#end(this.#why(error));
    } finally {
      firstByte.cancel();
    }
  }

  #reply(status: number, headers: IncomingHttpHeaders, body: Readable): UpstreamReply {
    // Errors after we stopped reading concern nobody; while we read, the iterator reports them.
    body.on('error', () => {});
    const chunks: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
    return {
      kind: 'reply',
      status,
      headers,
      read: () => this.#read(chunks),
      progress: () => {
        this.#idleLeftMs = this.#limits.idle_timeout_ms;
      },
      hurry: (withinMs) => {
        if (!this.#isOver) this.#rest ??= this.#limit('rest', withinMs);
      },
      close: () => {
        if (body.readableEnded || body.destroyed) this.#end(null);
        else void this.#close(body, chunks);
      },
    };
  }

  async #read(chunks: AsyncIterator<unknown>): Promise<BodyStep> {
    const began = this.#clock.now();
    // Only waiting counts: while a slow caller keeps us from reading, the upstream is not idle.
    const idle = this.#limit('idle', this.#idleLeftMs);
    try {
      const { done, value } = await chunks.next();
      if (done) return this.#end({ kind: 'done' });
      if (!Buffer.isBuffer(value)) return this.#end(failure('unusable', 'the body is not bytes'));
      this.#length += value.length;
      if (this.#length <= this.#limits.answer_bytes) return { kind: 'bytes', bytes: value };
      this.#abort.abort();
      return this.#end(failure('unusable', 'the answer is larger than the limit'));
    } catch (error) {
      return this.#end(this.#why(error));
    } finally {
      idle.cancel();
      this.#idleLeftMs -= this.#clock.now() - began;
    }
  }

  /** Reads a short rest, so that the connection can serve the next call; a longer one is cut off. */
  async #close(body: Readable, chunks: AsyncIterator<unknown>): Promise<void> {
    this.#end(null);
    const cut = this.#clock.schedule(REST_MS, () => body.destroy());
    try {
      for (let left = REST_BYTES; left > 0; ) {
        const { done, value } = await chunks.next();
        if (done) break;
        left -= Buffer.isBuffer(value) ? value.length : REST_BYTES;
      }
    } catch {
      // Nobody waits for this rest.
    } finally {
      cut.cancel();
      body.destroy();
    }
  }

  #limit(name: string, ms: number): { cancel(): void } {
    return this.#clock.schedule(Math.max(0, ms), () => {
      this.#deadline ??= name;
      this.#abort.abort();
    });
  }

  #why(error: unknown): UpstreamFailure | ClientLeft {
    if (this.#gone.aborted) return { kind: 'client_left' };
    if (this.#deadline !== null) return failure('timeout', `deadline: ${this.#deadline}`);
    return transportFailure(error);
  }

  #end<Last>(last: Last): Last {
    this.#isOver = true;
    this.#total.cancel();
    this.#rest?.cancel();
    this.#gone.removeEventListener('abort', this.#leave);
    return last;
  }
}
