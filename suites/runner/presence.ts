import { setTimeout as sleep } from 'node:timers/promises';
import { CheckIsOver } from '../engine/check-is-over.ts';
import { Semaphore } from '../engine/semaphore.ts';
import { isJsonObject } from '../values/json.ts';
import type { WireClient } from '../wire/client.ts';
import { type Exchange, jsonOf, outcomeOf } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import { countOf } from './count-of.ts';

/** How long a run waits for an unreachable deployment, the interval of the probes, and the timeout of one probe, ms. */
const withinMs = 30_000;
const lookEachMs = 250;
export const lookMs = 10_000;

/** The most interrupted checks that are named. */
const mostNamed = 8;

/** A deployment that becomes unreachable more often than this ends the run. */
const mostAbsences = 30;

export interface PresenceParts {
  /** A free call that the deployment answered before the run, with the timeout `lookMs`. */
  readonly ask: () => Promise<Exchange>;
  /** Ends the run, with a sentence that says why. */
  readonly end: (sentence: string) => void;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Watches whether the deployment is reachable. When the network or a proxy refuses calls, one free call tells a failing
 * endpoint from an unreachable deployment. The run waits for the deployment and repeats the interrupted work. If it does not
 * come back, the run ends.
 */
export class Presence {
  readonly #parts: Required<PresenceParts>;
  #losses = 0;
  #absences = 0;
  #isGone = false;
  #over = new AbortController();
  #looking: Promise<void> | null = null;
  /** Checks that were interrupted repeatedly run one at a time, so that a crash caused by one interrupts no other. */
  readonly turns = new Semaphore(1);
  readonly #atWork = new Set<string>();
  /** What was at work at the last loss: the check that caused it may have ended before anybody looks. */
  #suspects: readonly string[] = [];
  /** The checks that were running each time the deployment became unreachable. */
  readonly #cutOff: string[] = [];

  constructor({ now = () => performance.now(), wait = (ms) => sleep(ms), ...parts }: PresenceParts) {
    this.#parts = { ...parts, now, wait };
  }

  /** How many calls got no answer from the deployment itself so far. */
  get losses(): number {
    return this.#losses;
  }

  /** How often the deployment was unreachable so far. */
  get absences(): number {
    return this.#absences;
  }

  /** Aborted when the deployment becomes unreachable; replaced when it is back. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** A sentence for readers of the report; null when there is nothing to report. */
  get notice(): string | null {
    if (this.#absences === 0 || this.#isGone) return null;
    return `the deployment was away ${countOf(this.#absences, 'time')}, and came back; what ran then began again: ${this.#names()}`;
  }

  /** Names the running work, which may be why a deployment became unreachable. */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#atWork.add(name);
    try {
      return await work();
    } finally {
      this.#atWork.delete(name);
    }
  }

  /** The client, with every exchange watched. */
  watched(client: WireClient): WireClient {
    const open: WireClient['open'] = (request) => {
      const live: LiveExchange = client.open(request);
      void live.done.then((exchange) => this.note(exchange));
      return live;
    };
    return { ...client, open, send: (request) => open(request).done };
  }

  note(exchange: Exchange): void {
    const loss = lossIn(exchange);
    if (loss === null) return;
    this.#losses += 1;
    this.#suspects = [...this.#atWork];
    // A check often breaks its connection on purpose.
    if (loss !== 'broken') void this.look();
  }

  /** Resolves when the running probe, if any, has found the deployment reachable, or the run has ended. */
  async here(): Promise<void> {
    await this.#looking;
  }

  /** Stops waiting. */
  close(): void {
    this.#isGone = true;
  }

  /** Probes the deployment, and waits until it is reachable, or the run has ended. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { ask, end, now, wait } = this.#parts;
    if (this.#isGone) return;
    let last = await ask();
    if (isThere(last)) return;
    this.#absences += 1;
    this.#cutOff.push(...this.#suspects, ...this.#atWork);
    this.#over.abort(new CheckIsOver('the deployment went away'));
    const since = now();
    while (!this.#isGone && this.#absences <= mostAbsences && now() - since < withinMs) {
      await wait(lookEachMs);
      last = await ask();
      if (!isThere(last)) continue;
      this.#over = new AbortController();
      return;
    }
    if (this.#isGone) return;
    this.#isGone = true;
    const isOften = this.#absences > mostAbsences;
    const lasts = isOften ? `for the ${this.#absences}th time` : `for ${withinMs / 1_000} s`;
    end(`the deployment answers no more: ${outcomeOf(last)}, ${lasts}; what ran then: ${this.#names()}`);
  }

  /** The names of interrupted checks, newest first. */
  #names(): string {
    const names = [...new Set(this.#cutOff.toReversed())];
    const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
    return names.length === 0 ? 'nothing' : `${names.slice(0, mostNamed).join(', ')}${more}`;
  }
}

/** Codes of an address without a listener, and of a connection that ended before its answer. */
const absent =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)\b|Proxy response/;
const broken = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)\b|socket|closed/i;

/** Why the deployment itself did not answer; null when it did, or the caller left. */
function lossIn(exchange: Exchange): 'absent' | 'broken' | 'in front' | null {
  const { response, error } = exchange;
  if (response === null) {
    if (absent.test(error ?? '')) return 'absent';
    return broken.test(error ?? '') ? 'broken' : null;
  }
  if (!response.complete && broken.test(error ?? '')) return 'broken';
  return [502, 503, 504].includes(response.status) && !isOwnError(exchange) ? 'in front' : null;
}

/** Whether an error has the form of a gateway's error; a proxy sends a page, or nothing. */
function isOwnError(exchange: Exchange): boolean {
  const body = jsonOf(exchange);
  return isJsonObject(body) && isJsonObject(body.error);
}

function isThere(exchange: Exchange): boolean {
  return exchange.response !== null && lossIn(exchange) === null;
}
