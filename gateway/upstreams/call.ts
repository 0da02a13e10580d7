import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Agent, request } from 'undici';
import type { Clock } from '../clock.ts';
import type { UpstreamLimits } from '../config.ts';
import { DecodedBody } from './decoded-body.ts';
import { type ClientLeft, failure, type UpstreamFailure } from './outcome.ts';
import { CallTrace } from './traced-client.ts';
import { transportFailure } from './transport-errors.ts';

/** One GET to an upstream. */
export interface UpstreamQuestion {
  readonly url: string;
  /** The dialect's own: its credential and its version. */
  readonly headers: Readonly<Record<string, string>>;
  readonly accept: string;
  /** Aborts when the caller is gone. */
  readonly gone: AbortSignal;
  /** Total time for this call, when it is to be shorter than the configured one. */
  readonly withinMs?: number;
  /** On a connection of its own: one that was kept may have died since. */
  readonly isFresh?: boolean;
  /** Not we chose where it goes: it is sent to public addresses only, on a connection of its own. */
  readonly isGuarded?: boolean;
  /** Largest answer that is taken, when it is not to be the configured one. */
  readonly maxBytes?: number;
}

/** One POST to an upstream. */
export interface UpstreamRequest extends UpstreamQuestion {
  readonly body: string;
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
  /** Each with one value, the first that came; `date` is there in any case. */
  readonly headers: IncomingHttpHeaders;
  /** The next bytes, without compression; never rejects. Waits at most the idle time since the last `progress`. */
  read(): Promise<BodyStep>;
  /** Says that what was read counts as progress: the idle time begins anew. */
  progress(): void;
  /** Gives the rest of the answer only this long. */
  hurry(withinMs: number): void;
  /** Ends the call: the rest of the answer is not wanted. */
  close(): void;
}

/** What calls are made with. */
export interface CallDeps {
  /** Keeps connections for the next calls. */
  readonly kept: Agent;
  /** Opens one for each call. */
  readonly fresh: Agent;
  readonly limits: UpstreamLimits;
  readonly clock: Clock;
}

/** How much of an unwanted rest is read to keep the connection, and how long that may take. */
const restBytes = 16 * 1024;
const restMs = 1000;

/** A connection that had died before it was used says so within a round trip; later its upstream has read the request. */
const deadWithinMs = 1000;

/** One attempt at an upstream, with its deadlines. Everything that goes wrong is a returned value. */
export class Call {
  readonly #deps: CallDeps;
  readonly #gone: AbortSignal;
  readonly #abort = new AbortController();
  readonly #leave = (): void => this.#abort.abort();
  readonly #total: { cancel(): void };
  readonly #trace = new CallTrace();
  #rest: { cancel(): void } | null = null;
  #isOver = false;
  #deadline: string | null = null;
  readonly #maxBytes: number;
  #idleLeftMs: number;
  #length = 0;

  constructor(deps: CallDeps, { gone, withinMs, maxBytes }: UpstreamQuestion) {
    const { limits } = deps;
    this.#deps = deps;
    this.#gone = gone;
    this.#maxBytes = maxBytes ?? limits.answer_bytes;
    this.#idleLeftMs = limits.idle_timeout_ms;
    this.#total = this.#limit('total', Math.min(limits.total_timeout_ms, withinMs ?? Infinity));
    gone.addEventListener('abort', this.#leave, { once: true });
  }

  /** Sends a POST, or a GET when there is no body. */
  async send(
    outgoing: UpstreamQuestion,
    body: string | null,
  ): Promise<UpstreamReply | UpstreamFailure | ClientLeft> {
    if (this.#gone.aborted) return this.#end({ kind: 'client_left' });
    const { clock, limits } = this.#deps;
    const began = clock.now();
    const firstByte = this.#limit('first byte', limits.first_byte_timeout_ms);
    const outcome = await this.#ask(outgoing, body);
    firstByte.cancel();
    if (outcome.kind === 'reply') return outcome;
    if (outcome.kind === 'client_left') return this.#end(outcome);
    const isStale = this.#wasDead(outcome, clock.now() - began);
    return this.#end({ ...outcome, isStale, ...(!this.#trace.isSent && { isUnsent: true }) });
  }

  /** The connection that was kept for the request was dead before any byte of an answer (fault T9). */
  #wasDead({ reason }: UpstreamFailure, tookMs: number): boolean {
    const { isReused, hasBegun } = this.#trace;
    return reason === 'connection' && isReused && !hasBegun && tookMs < deadWithinMs;
  }

  async #ask(
    outgoing: UpstreamQuestion,
    sent: string | null,
  ): Promise<UpstreamReply | UpstreamFailure | ClientLeft> {
    const { kept, fresh } = this.#deps;
    const isFresh = outgoing.isFresh === true;
    try {
      const { statusCode, headers, body } = await request(outgoing.url, {
        method: sent === null ? 'GET' : 'POST',
        dispatcher: isFresh ? fresh : kept,
        signal: this.#abort.signal,
        opaque: this.#trace,
        reset: isFresh,
        body: sent,
        headers: {
          ...outgoing.headers,
          ...(sent !== null && { 'content-type': 'application/json' }),
          accept: outgoing.accept,
          'accept-encoding': 'identity',
        },
      });
      return this.#reply(statusCode, singleHeaders(headers, this.#deps.clock), body);
    } catch (error) {
      return this.#why(error);
    }
  }

  #reply(status: number, headers: IncomingHttpHeaders, source: Readable): UpstreamReply {
    // Errors after we stopped reading concern nobody; while we read, the iterator reports them.
    source.on('error', () => {});
    const body = new DecodedBody(source, headers['content-encoding']);
    return {
      kind: 'reply',
      status,
      headers,
      read: () => this.#read(source, body),
      progress: () => {
        this.#idleLeftMs = this.#deps.limits.idle_timeout_ms;
      },
      hurry: (withinMs) => {
        if (!this.#isOver) this.#rest ??= this.#limit('rest', withinMs);
      },
      close: () => {
        if (source.readableEnded || source.destroyed) this.#end(null);
        else void this.#close(source, body);
      },
    };
  }

  async #read(source: Readable, body: DecodedBody): Promise<BodyStep> {
    const { clock } = this.#deps;
    const began = clock.now();
    // Only waiting counts: while a slow caller keeps us from reading, the upstream is not idle.
    const idle = this.#limit('idle', this.#idleLeftMs);
    try {
      const { done, value } = await body.next();
      if (done && this.#trace.hasExcess) return this.#end(failure('unusable', 'bytes behind the end'));
      if (done) return this.#end({ kind: 'done' }, !source.readableEnded);
      this.#length += value.length;
      if (this.#length <= this.#maxBytes) return { kind: 'bytes', bytes: value };
      return this.#end(failure('unusable', 'the answer is larger than the limit'), true);
    } catch (error) {
      // Whatever failed here, the upstream may still be sending.
      return this.#end(this.#why(error), true);
    } finally {
      idle.cancel();
      this.#idleLeftMs -= clock.now() - began;
    }
  }

  /** Reads a short rest, so that the connection can serve the next call; a longer one is cut off. */
  async #close(source: Readable, body: DecodedBody): Promise<void> {
    this.#end(null);
    if (body.isEncoded) {
      source.destroy();
      return;
    }
    const cut = this.#deps.clock.schedule(restMs, () => source.destroy());
    try {
      for (let left = restBytes; left > 0; ) {
        const { done, value } = await body.next();
        if (done) break;
        left -= value.length;
      }
    } catch {
      // Nobody waits for this rest.
    } finally {
      cut.cancel();
      source.destroy();
    }
  }

  #limit(name: string, ms: number): { cancel(): void } {
    return this.#deps.clock.schedule(Math.max(0, ms), () => {
      this.#deadline ??= name;
      this.#abort.abort();
    });
  }

  #why(error: unknown): UpstreamFailure | ClientLeft {
    if (this.#gone.aborted) return { kind: 'client_left' };
    if (this.#deadline !== null) return failure('timeout', `deadline: ${this.#deadline}`);
    return transportFailure(error);
  }

  #end<Last>(last: Last, isCut = false): Last {
    this.#isOver = true;
    if (isCut) this.#abort.abort();
    this.#total.cancel();
    this.#rest?.cancel();
    this.#gone.removeEventListener('abort', this.#leave);
    return last;
  }
}

/** The headers of an answer, one value each (fault P11). An answer without a date is of now. */
function singleHeaders(headers: IncomingHttpHeaders, clock: Clock): IncomingHttpHeaders {
  const single = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return { date: new Date(clock.now()).toUTCString(), ...Object.fromEntries(single) };
}
