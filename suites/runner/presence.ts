import { setTimeout as sleep } from 'node:timers/promises';
import { CheckIsOver } from '../engine/check-is-over.ts';
import { Semaphore } from '../engine/semaphore.ts';
import { isJsonObject } from '../values/json.ts';
import type { WireClient } from '../wire/client.ts';
import { type Exchange, jsonOf, outcomeOf } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import { countOf } from './count-of.ts';

/** How long a run waits for a deployment that went away, how often it looks meanwhile, and how long a look lasts, ms. */
const withinMs = 30_000;
const lookEachMs = 250;
export const lookMs = 10_000;

/** So many checks that were under way are named. */
const mostNamed = 8;

/** A deployment that goes away more often than this is not waited for. */
const mostAbsences = 30;

export interface PresenceParts {
  /** A free call that the deployment answered before the run, with `lookMs` as its time. */
  readonly ask: () => Promise<Exchange>;
  /** Ends the run, with a sentence that says why. */
  readonly end: (sentence: string) => void;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Whether the deployment of a run is still there. Where calls are refused by the network, or something in front of it says that
 * it is out, one free call distinguishes a fault of one endpoint from a deployment that is gone. The run waits for
 * it, and repeats the work of that time. If it does not come back, the run ends.
 */
export class Presence {
  readonly #parts: Required<PresenceParts>;
  #losses = 0;
  #absences = 0;
  #isGone = false;
  #over = new AbortController();
  #looking: Promise<void> | null = null;
  /** Checks that were cut off again and again take turns, so that one of them takes no other with it. */
  readonly turns = new Semaphore(1);
  readonly #atWork = new Set<string>();
  /** What was at work at the last loss: the check that caused it may have ended before anybody looks. */
  #suspects: readonly string[] = [];
  /** What was at work each time that it went away. */
  readonly #cutOff: string[] = [];

  constructor({ now = () => performance.now(), wait = (ms) => sleep(ms), ...parts }: PresenceParts) {
    this.#parts = { ...parts, now, wait };
  }

  /** How many calls got no answer of the deployment's own so far. */
  get losses(): number {
    return this.#losses;
  }

  /** How often it was away so far. */
  get absences(): number {
    return this.#absences;
  }

  /** Aborted once it goes away; another one when it is back. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** What a reader of the report has to know; null for nothing. */
  get notice(): string | null {
    if (this.#absences === 0 || this.#isGone) return null;
    return `the deployment was away ${countOf(this.#absences, 'time')}, and came back; what ran then began again: ${this.#names()}`;
  }

  /** Names what is at work meanwhile: it may be why a deployment went away. */
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
    // A connection that breaks is often meant by the check.
    if (loss !== 'broken') void this.look();
  }

  /** Resolves once it is there, or the run has ended: at once, unless a call is already under way. */
  async here(): Promise<void> {
    await this.#looking;
  }

  /** Waits no more. */
  close(): void {
    this.#isGone = true;
  }

  /** Asks whether it is there, and waits until it is, or the run has ended. */
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

  /** The newest first. */
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

/** How an exchange got no answer of the deployment itself; null where it got one, or was left. */
function lossIn(exchange: Exchange): 'absent' | 'broken' | 'in front' | null {
  const { response, error } = exchange;
  if (response === null) {
    if (absent.test(error ?? '')) return 'absent';
    return broken.test(error ?? '') ? 'broken' : null;
  }
  if (!response.complete && broken.test(error ?? '')) return 'broken';
  return [502, 503, 504].includes(response.status) && !isOwnError(exchange) ? 'in front' : null;
}

/** Whether an error has the form that a gateway gives it: what stands in front sends a page, or nothing. */
function isOwnError(exchange: Exchange): boolean {
  const body = jsonOf(exchange);
  return isJsonObject(body) && isJsonObject(body.error);
}

function isThere(exchange: Exchange): boolean {
  return exchange.response !== null && lossIn(exchange) === null;
}
