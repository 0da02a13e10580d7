import type { IncomingHttpHeaders } from 'node:http';
import type { Agent } from 'undici';
import type { Clock } from '../clock.ts';
import type { UpstreamLimits } from '../config.ts';
import type { Gone } from '../gone.ts';
import { DecodedBody } from './decoded-body.ts';
import { type ClientLeft, failure, type UpstreamFailure } from './outcome.ts';
import { placeOf } from './place-of.ts';
import { type ReceivedHead, Reception } from './reception.ts';
import { sentBody } from './sent-body.ts';
import { transportFailure } from './transport-errors.ts';

/** A GET to an upstream. */
export interface UpstreamQuestion {
  readonly url: string;
  /** Headers of the dialect: credentials and version. */
  readonly headers: Readonly<Record<string, string>>;
  readonly accept: string;
  /** Aborts when the caller disconnects. */
  readonly gone: Gone;
  /** Total time for this call, when it must be shorter than the configured one. */
  readonly withinMs?: number;
  /** Use a new connection: a kept one may be dead. */
  readonly isFresh?: boolean;
  /** The gateway did not choose the address: only public addresses are allowed, each call on a new connection. */
  readonly isGuarded?: boolean;
  /** Maximum answer size, when it differs from the configured one. */
  readonly maxBytes?: number;
}

/** A POST to an upstream. */
export interface UpstreamRequest extends UpstreamQuestion {
  readonly body: string;
}

/** The result of the next read of an answer's body. */
export type BodyStep =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'done' }
  | UpstreamFailure
  | ClientLeft;

/** The head of an answer; its body is still to be read. */
export interface UpstreamReply {
  readonly kind: 'reply';
  readonly status: number;
  /** One value per header, the first that came; `date` is always present. */
  readonly headers: IncomingHttpHeaders;
  /** The next decompressed bytes; never rejects. Waits at most the idle timeout since the last `progress`. */
  read(): Promise<BodyStep> | BodyStep;
  /** Reports progress: the idle timeout restarts. */
  progress(): void;
  /** Limits the time for the rest of the answer. */
  hurry(withinMs: number): void;
  /** Ends the call without reading the rest of the answer. */
  close(): void;
}

/** Dependencies of a call. */
export interface CallDeps {
  /** Keeps connections for later calls. */
  readonly kept: Agent;
  /** Opens a new connection for each call. */
  readonly fresh: Agent;
  readonly limits: UpstreamLimits;
  readonly clock: Clock;
}

/** Maximum bytes and time for reading an unneeded rest, which keeps the connection usable. */
const restBytes = 16 * 1024;
const restMs = 1000;

/**
 * A connection that was already dead fails within a round trip; after this time the upstream may have read the
 * request.
 */
const deadWithinMs = 1000;

/** One attempt at an upstream, with its deadlines. All errors are returned as values. */
export class Call {
  readonly #deps: CallDeps;
  readonly #gone: Gone;
  readonly #reception = new Reception();
  readonly #leave = (): void => this.#reception.cancel();
  readonly #total: { cancel(): void };
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
    const began = clock.monotonic();
    const firstByte = this.#limit('first byte', limits.first_byte_timeout_ms);
    const outcome = await this.#ask(outgoing, body);
    firstByte.cancel();
    if (outcome.kind === 'reply') return outcome;
    if (outcome.kind === 'client_left') return this.#end(outcome);
    const isStale = this.#wasDead(outcome, clock.monotonic() - began);
    return this.#end({ ...outcome, isStale, ...(!this.#reception.isSent && { isUnsent: true }) });
  }

  /** The kept connection was dead before any byte of the answer arrived (fault T9). */
  #wasDead({ reason }: UpstreamFailure, tookMs: number): boolean {
    const { isReused, hasBegun } = this.#reception;
    return reason === 'connection' && isReused && !hasBegun && tookMs < deadWithinMs;
  }

  async #ask(
    outgoing: UpstreamQuestion,
    sent: string | null,
  ): Promise<UpstreamReply | UpstreamFailure | ClientLeft> {
    const { kept, fresh, clock } = this.#deps;
    const isFresh = outgoing.isFresh === true;
    const { body, bytes } = sent === null ? { body: null, bytes: null } : sentBody(sent);
    try {
      const head = await this.#reception.head(isFresh ? fresh : kept, {
        ...placeOf(outgoing.url, sent !== null),
        method: sent === null ? 'GET' : 'POST',
        reset: isFresh,
        // undici accepts any iterable of bytes; its manual says so, but its types do not.
        body: body as string | null,
        headers: {
          ...outgoing.headers,
          ...(sent !== null && { 'content-type': 'application/json' }),
          ...(bytes !== null && { 'content-length': String(bytes) }),
          accept: outgoing.accept,
          'accept-encoding': 'identity',
        },
      });
      return this.#reply(head.status, singleHeaders(head.headers, clock));
    } catch (error) {
      return this.#why(error);
    }
  }

  #reply(status: number, headers: IncomingHttpHeaders): UpstreamReply {
    const body = new DecodedBody(this.#reception, headers['content-encoding']);
    return {
      kind: 'reply',
      status,
      headers,
      read: () => this.#read(body),
      progress: () => {
        this.#idleLeftMs = this.#deps.limits.idle_timeout_ms;
      },
      hurry: (withinMs) => {
        if (!this.#isOver) this.#rest ??= this.#limit('rest', withinMs);
      },
      close: () => {
        if (this.#reception.isRead) this.#end(null);
        else void this.#close(body);
      },
    };
  }

  /** Bytes that have already arrived need no wait, and so no timer. */
  #read(body: DecodedBody): Promise<BodyStep> | BodyStep {
    const bytes = body.take();
    if (bytes !== null) return this.#taken(bytes);
    return body.isRead ? this.#done() : this.#await(body);
  }

  #taken(bytes: Buffer): BodyStep {
    this.#length += bytes.length;
    if (this.#length <= this.#maxBytes) return { kind: 'bytes', bytes };
    const tooLarge = failure('unusable', 'the answer is larger than the limit', { isHalted: true });
    return this.#end(tooLarge, true);
  }

  #done(): BodyStep {
    if (this.#reception.hasExcess) return this.#end(failure('unusable', 'bytes behind the end'));
    return this.#end({ kind: 'done' }, !this.#reception.isRead);
  }

  async #await(body: DecodedBody): Promise<BodyStep> {
    const { clock } = this.#deps;
    const began = clock.monotonic();
    // Only waiting counts: while a slow caller delays our reads, the upstream is not idle.
    const idle = this.#limit('idle', this.#idleLeftMs);
    try {
      const { done, value } = await body.next();
      return done ? this.#done() : this.#taken(value);
    } catch (error) {
      // Whatever failed here, the upstream may still be sending.
      return this.#end(this.#why(error), true);
    } finally {
      idle.cancel();
      this.#idleLeftMs -= clock.monotonic() - began;
    }
  }

  /** Reads a short rest, so that the connection can serve another call; a longer rest is cut off. */
  async #close(body: DecodedBody): Promise<void> {
    this.#end(null);
    if (body.isEncoded) {
      this.#leave();
      return;
    }
    const cut = this.#deps.clock.schedule(restMs, this.#leave);
    try {
      for (let left = restBytes; left > 0; ) {
        const { done, value } = await body.next();
        if (done) break;
        left -= value.length;
      }
    } catch {
      // No caller waits for this rest.
    } finally {
      cut.cancel();
      this.#leave();
    }
  }

  #limit(name: string, ms: number): { cancel(): void } {
    return this.#deps.clock.schedule(Math.max(0, ms), () => {
      this.#deadline ??= name;
      this.#leave();
    });
  }

  #why(error: unknown): UpstreamFailure | ClientLeft {
    if (this.#gone.aborted) return { kind: 'client_left' };
    if (this.#deadline !== null) {
      // At the limit of the whole answer, its upstream may be sending; at every other one it is silent.
      const isHalted = this.#deadline === 'total';
      return failure('timeout', `deadline: ${this.#deadline}`, isHalted ? { isHalted } : {});
    }
    return transportFailure(error);
  }

  #end<Last>(last: Last, isCut = false): Last {
    this.#isOver = true;
    if (isCut) this.#leave();
    this.#total.cancel();
    this.#rest?.cancel();
    this.#gone.removeEventListener('abort', this.#leave);
    return last;
  }
}

/** The headers of an answer, one value each (fault P11). A missing date becomes the current time. */
function singleHeaders(headers: ReceivedHead['headers'], clock: Clock): IncomingHttpHeaders {
  const single: IncomingHttpHeaders = {};
  for (const name in headers) {
    const value = headers[name];
    single[name] = Array.isArray(value) ? value[0] : value;
  }
  single.date ??= new Date(clock.now()).toUTCString();
  return single;
}
