import { eventHeaders } from '../oracle/webhooks/sign.ts';
import { UnreachableError } from '../process/exit-codes.ts';
import { Untestable } from '../rules/violation.ts';
import { connectionAdvice } from '../wire/connection-advice.ts';
import { type Exchange, header } from '../wire/exchange.ts';
import { answerWithinMs, type ReceiverClient } from './client.ts';
import type { Effects, JudgeClock } from './effects.ts';
import { dateSecondOf, type Handling, handlingOf } from './outcome.ts';

/** An event before it is sent. */
export interface Draft {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Buffer;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** How an event differs from a genuine current one. */
export interface DraftParts {
  readonly id?: string;
  /** The age of its timestamp; negative values are in the future. */
  readonly ageSeconds?: number;
  readonly timestamp?: string;
  /** The secrets that sign it, in this order. */
  readonly secrets?: readonly string[];
  readonly body?: Buffer;
}

/** An event that was sent, and its outcome. */
export interface Delivery {
  readonly draft: Draft;
  readonly exchange: Exchange;
  /** The number of its effects; null when nothing reports them. */
  readonly effects: number | null;
}

/** Whether the event was accepted: by its effects if they are reported, otherwise by the answer. */
export function isTaken({ exchange, effects }: Delivery): boolean {
  return effects === null ? handlingOf(exchange) === 'accepted' : effects > 0;
}

export interface SessionOptions {
  readonly client: ReceiverClient;
  readonly clock: JudgeClock;
  readonly effects: Effects | null;
  readonly secret: string;
  /** The task id in all events; null gives each event its own task. */
  readonly taskId: string | null;
  /** Makes the ids of this run unique, because a receiver remembers ids. */
  readonly run: string;
  readonly signal: AbortSignal;
}

/** How often an event is sent again until the receiver answers within the required second. */
const maxAttempts = 8;
/** How early in a second a case must be sent that needs an answer within it, ms. */
const latestStartMs = 250;
/** How far the receiver's clock may differ when its answers have no date, s. */
const undatedSeconds = 2;
/** A receiver that never accepts an event faster cannot answer within a required second, ms. */
const slowMs = 700;
/** After a first missing answer the timeout is four times the slowest answer plus this, ms. */
const shortTimeoutMs = 1_500;
/** How often a receiver may answer that it is busy. */
const maxPostponements = 3;
const longestPostponementMs = 10_000;

/** One receiver under judgement. It sends events and keeps track of the receiver's clock and effects. */
export class Session {
  readonly secret: string;
  readonly clock: JudgeClock;
  /** The first genuine event that was accepted, as a twin for every refused one. */
  twin: Exchange | undefined;
  /** The kinds of wrong answers already reported for events that must be refused. */
  readonly reported = new Set<Handling>();
  readonly #options: SessionOptions;
  #events = 0;
  #exchanges = 0;
  /** How far the receiver's clock is ahead of ours by the dates of its answers, s; null while unknown. */
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

  /** How far the receiver's clock is ahead of ours, s; 0 when its answers have no date. */
  get aheadSeconds(): number {
    return this.#aheadSeconds ?? 0;
  }

  /** The margin by which an age is certainly on one side of a limit, in whole seconds. */
  get marginSeconds(): number {
    const undated = this.#aheadSeconds === null ? undatedSeconds : 0;
    const isSlow = this.twin !== undefined && this.#soonestAcceptedMs > slowMs;
    return undated + (isSlow ? Math.ceil(this.#slowestMs / 1000) + 1 : 0);
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
    // An event that was not accepted can have no effect worth waiting for.
    const hoped = handlingOf(exchange) === 'accepted' ? expected : 0;
    return { draft, exchange, effects: (await this.#options.effects?.since(hoped)) ?? null };
  }

  /** Sends one event many times at once. The effects of all deliveries count together. */
  async deliverTogether(label: string, draft: Draft, times: number): Promise<Delivery[]> {
    await this.#begin();
    const sent = Array.from({ length: times }, (_, n) => this.#post(`${label}, ${n + 1} of ${times}`, draft));
    const exchanges = await Promise.all(sent);
    const effects = (await this.#options.effects?.since(1)) ?? null;
    return exchanges.map((exchange) => ({ draft, exchange, effects }));
  }

  /**
   * Sends an event of exactly this age: the receiver's clock shows the same second when it answers. When a margin is needed,
   * no age is exact.
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
      // A server may close an idle connection at the moment of its next use.
      if (isCut(exchange) && attempt === 0) continue;
      const postponedMs = postponement(exchange);
      if (postponedMs === null || attempt === maxPostponements) return exchange;
      await this.clock.wait(postponedMs);
    }
  }

  /**
   * The timeout, ms: as long as a gateway waits, but shorter after a first missing answer, because many more may be missing.
   */
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

/** Whether the answer did not come in time, as opposed to a failed connection. */
export function isSilence({ error }: Pick<Exchange, 'error'>): boolean {
  return error?.startsWith('no end within') === true;
}

function isCut(exchange: Exchange): boolean {
  return exchange.response === null && !isSilence(exchange);
}

/** How long to wait before the event is sent again to a busy receiver, ms; null when it is not busy. */
function postponement(exchange: Exchange): number | null {
  const status = exchange.response?.status;
  const asked = header(exchange, 'retry-after');
  if (status !== 429 && !(status === 503 && asked !== null)) return null;
  const ms = Number(asked ?? '1') * 1000;
  return Math.min(Number.isNaN(ms) ? 1000 : ms, longestPostponementMs);
}

/** Stops the judgement when the receiver is unreachable. A receiver that does not answer in time is still judged. */
function reach(exchange: Exchange): void {
  if (!isCut(exchange)) return;
  const { request } = exchange;
  const error = connectionAdvice(exchange.error ?? 'no answer', {
    url: request.url,
    nameAuthority: 'name a file with it as --ca',
  });
  throw new UnreachableError(`${request.url} cannot be reached: ${error}`);
}

/** An event in the form of the reference gateway (reading B-113). */
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
