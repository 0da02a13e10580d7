import { UnreachableError } from '../exit-codes.ts';
import { eventHeaders } from '../oracle/webhooks/sign.ts';
import { Untestable } from '../rules/violation.ts';
import { type Exchange, header } from '../wire/exchange.ts';
import { answerWithinMs, type ReceiverClient } from './client.ts';
import type { Effects, JudgeClock } from './effects.ts';
import { dateSecondOf, type Handling, handlingOf } from './outcome.ts';

/** An event as it is to be sent. */
export interface Draft {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Buffer;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What of an event differs from a genuine one of this moment. */
export interface DraftParts {
  readonly id?: string;
  /** How old its timestamp is; negative: ahead of the time. */
  readonly ageSeconds?: number;
  readonly timestamp?: string;
  /** With what it is signed, in this order. */
  readonly secrets?: readonly string[];
  readonly body?: Buffer;
}

/** An event that was sent, and what came of it. */
export interface Delivery {
  readonly draft: Draft;
  readonly exchange: Exchange;
  /** How many effects it had; null when nobody tells. */
  readonly effects: number | null;
}

/** Whether the event was taken: as its effects tell, or where nobody tells of them, the answer. */
export function isTaken({ exchange, effects }: Delivery): boolean {
  return effects === null ? handlingOf(exchange) === 'accepted' : effects > 0;
}

export interface SessionOptions {
  readonly client: ReceiverClient;
  readonly clock: JudgeClock;
  readonly effects: Effects | null;
  readonly secret: string;
  /** The task that all events tell of; null: each of a task of its own. */
  readonly taskId: string | null;
  /** What makes ids of this run unlike those of any other: a receiver remembers them. */
  readonly run: string;
  readonly signal: AbortSignal;
}

/** Attempts to have an answer in the second that was asked for. */
const maxAttempts = 8;
/** A case that has to be answered within a second begins early in one, ms. */
const latestStartMs = 250;
/** Without the receiver's word for its time, its clock may differ by so much, s. */
const untoldSeconds = 2;
/** Who never accepts an event sooner does not answer within a second that is asked for, ms. */
const slowMs = 700;
/** Who did not answer once is given so much longer than its slowest answer took, from then on, ms. */
const shortTimeoutMs = 1_500;
/** How often a receiver may say that it has no time now. */
const maxPostponements = 3;
const longestPostponementMs = 10_000;

/** One receiver under judgement: sends events to it and keeps track of its clock and of its effects. */
export class Session {
  readonly secret: string;
  readonly clock: JudgeClock;
  /** The first genuine event that was accepted: what every refused one is compared with. */
  twin: Exchange | undefined;
  /** In what ways other than 4xx it has answered what was to be refused. */
  readonly told = new Set<Handling>();
  readonly #options: SessionOptions;
  #events = 0;
  #exchanges = 0;
  /** By how many seconds the receiver's clock is ahead of ours, as its answers say; null while it has not told. */
  #aheadSeconds: number | null = null;
  #slowestMs = 0;
  #soonestAcceptedMs = Number.POSITIVE_INFINITY;
  #hasHung = false;
  #hasBegun = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.secret = options.secret;
    this.clock = options.clock;
  }

  get exchanges(): number {
    return this.#exchanges;
  }

  /** By how many seconds the receiver's clock is ahead of ours; 0 where it does not tell. */
  get aheadSeconds(): number {
    return this.#aheadSeconds ?? 0;
  }

  /** What an age must keep from a bound to be surely on its side of it, in whole seconds. */
  get marginSeconds(): number {
    const untold = this.#aheadSeconds === null ? untoldSeconds : 0;
    const isSlow = this.twin !== undefined && this.#soonestAcceptedMs > slowMs;
    return untold + (isSlow ? Math.ceil(this.#slowestMs / 1000) + 1 : 0);
  }

  draft(parts: DraftParts = {}): Draft {
    this.#events += 1;
    const name = `${this.#options.run}${String(this.#events).padStart(4, '0')}`;
    const seconds = Math.floor(this.clock.now() / 1000) + this.aheadSeconds - (parts.ageSeconds ?? 0);
    const content = {
      id: parts.id ?? `evt_${name}`,
      timestamp: parts.timestamp ?? String(seconds),
      body: parts.body ?? bodyOf(this.#options.taskId ?? `task_${name}`, this.clock.now()),
    };
    return { ...content, headers: eventHeaders(parts.secrets ?? [this.secret], content) };
  }

  /** Sends an event that should have `expected` effects. */
  async deliver(label: string, draft: Draft, expected: 0 | 1): Promise<Delivery> {
    await this.#begin();
    const exchange = await this.#post(label, draft);
    // What was not accepted is not waited for, whoever hoped for it.
    const hoped = handlingOf(exchange) === 'accepted' ? expected : 0;
    return { draft, exchange, effects: (await this.#options.effects?.since(hoped)) ?? null };
  }

  /** Sends one event many times at once. Its effects are those of all deliveries together. */
  async deliverTogether(label: string, draft: Draft, times: number): Promise<Delivery[]> {
    await this.#begin();
    const sent = Array.from({ length: times }, (_, n) => this.#post(`${label}, ${n + 1} of ${times}`, draft));
    const exchanges = await Promise.all(sent);
    const effects = (await this.#options.effects?.since(1)) ?? null;
    return exchanges.map((exchange) => ({ draft, exchange, effects }));
  }

  /**
   * Sends an event of exactly that age: the receiver's clock showed the very second when it answered. Of one with a
   * margin no age is exact.
   */
  async deliverAt(label: string, ageSeconds: number, expected: 0 | 1): Promise<Delivery> {
    if (this.marginSeconds > 0) return this.deliver(label, this.draft({ ageSeconds }), expected);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const into = this.clock.now() % 1000;
      if (into > latestStartMs) await this.clock.wait(1000 - into + 10);
      const second = Math.floor(this.clock.now() / 1000);
      const there = second + this.aheadSeconds;
      const delivery = await this.deliver(
        label,
        this.draft({ timestamp: String(there - ageSeconds) }),
        expected,
      );
      const { exchange } = delivery;
      const shown = dateSecondOf(exchange);
      const isThen = Math.floor(exchange.endedAt / 1000) === second && (shown ?? there) === there;
      if (isThen || exchange.response === null) return delivery;
    }
    throw new Untestable('an answer within the second in which it was asked for');
  }

  async #begin(): Promise<void> {
    if (this.#hasBegun) return;
    await this.#options.effects?.begin();
    this.#hasBegun = true;
  }

  async #post(label: string, { headers, body }: Draft): Promise<Exchange> {
    for (let attempt = 0; ; attempt += 1) {
      const startedMs = this.clock.now();
      const exchange = {
        ...(await this.#options.client.post(label, headers, body, this.#timeoutMs())),
        endedAt: this.clock.now(),
      };
      this.#options.signal.throwIfAborted();
      this.#exchanges += 1;
      if (this.#exchanges === 1) reach(exchange);
      this.#learn(exchange, startedMs);
      // A server may close an idle connection just as it is used again.
      if (isCut(exchange) && attempt === 0) continue;
      const postponedMs = postponement(exchange);
      if (postponedMs === null || attempt === maxPostponements) return exchange;
      await this.clock.wait(postponedMs);
    }
  }

  /** As long as a gateway waits; but nobody waits so long for each of many answers that do not come. */
  #timeoutMs(): number {
    return this.#hasHung ? Math.min(answerWithinMs, 4 * this.#slowestMs + shortTimeoutMs) : answerWithinMs;
  }

  #learn(exchange: Exchange, startedMs: number): void {
    this.#hasHung ||= isSilence(exchange);
    const tookMs = exchange.endedAt - startedMs;
    if (exchange.response !== null) this.#slowestMs = Math.max(this.#slowestMs, tookMs);
    if (handlingOf(exchange) === 'accepted')
      this.#soonestAcceptedMs = Math.min(this.#soonestAcceptedMs, tookMs);
    const shown = dateSecondOf(exchange);
    const second = Math.floor(exchange.endedAt / 1000);
    if (shown !== null && Math.floor(startedMs / 1000) === second) this.#aheadSeconds = shown - second;
  }
}

/** Whether there was no answer in time, rather than no connection. */
export function isSilence({ error }: Pick<Exchange, 'error'>): boolean {
  return error?.startsWith('nothing more within') === true;
}

function isCut(exchange: Exchange): boolean {
  return exchange.response === null && !isSilence(exchange);
}

/** How long to wait before the event is sent again, for a receiver that says that it has no time now; else null, ms. */
function postponement(exchange: Exchange): number | null {
  const status = exchange.response?.status;
  const asked = header(exchange, 'retry-after');
  if (status !== 429 && !(status === 503 && asked !== null)) return null;
  const ms = Number(asked ?? '1') * 1000;
  return Math.min(Number.isNaN(ms) ? 1000 : ms, longestPostponementMs);
}

/** A receiver that cannot be reached at all is not judged. One that does not answer in time is. */
function reach(exchange: Exchange): void {
  if (!isCut(exchange)) return;
  const { request } = exchange;
  const error = exchange.error ?? 'no answer';
  const isTrust = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(error);
  const hint = isTrust ? '; give the certificates that vouch for it with --ca' : '';
  throw new UnreachableError(`${request.url} cannot be reached: ${error}${hint}`);
}

/** An event as the reference gateway words it (reading B-113). */
function bodyOf(taskId: string, nowMs: number): Buffer {
  const timestamp = new Date(nowMs).toISOString();
  const data = {
    task_id: taskId,
    status: 'SUCCESS',
    result_urls: [`https://files.example.com/${taskId}/0.mp4`],
    duration_sec: 5,
  };
  return Buffer.from(JSON.stringify({ type: 'task.success', timestamp, data }));
}
