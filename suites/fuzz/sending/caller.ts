import { setTimeout as wait } from 'node:timers/promises';
import { type Generation, generationOf, modelCallOf } from '../../engine/model-calls.ts';
import { Semaphore } from '../../engine/semaphore.ts';
import { wayOf } from '../../engine/way-of.ts';
import type { WireClient } from '../../wire/client.ts';
import { type Exchange, errorCodeOf, header } from '../../wire/exchange.ts';
import { type DraftRequest, keySlot } from '../grammar/subject.ts';
import type { SendingUser } from './users.ts';

/**
 * A refusal for load proves nothing about a request. So the request is sent up to this many times, with at most this wait
 * between, ms.
 */
const mostTries = 6;
const longestWaitMs = 5_000;

export interface CallerOptions {
  readonly client: WireClient;
  readonly users: readonly SendingUser[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Counts a request before it is sent; false when it may not be sent any more. */
  readonly spend: () => boolean;
  readonly pay: (generation: Generation) => void;
}

/** Sends drafts with the keys of the run's users, each below its cap. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #users: readonly { readonly key: string; readonly slots: Semaphore }[];
  #next = 0;
  #waited = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#users = options.users.map(({ key, width }) => ({ key, slots: new Semaphore(width) }));
  }

  /** The number of calls that may be in flight over all users. */
  get width(): number {
    return this.#options.users.reduce((sum, { width }) => sum + width, 0);
  }

  /** How often a call was refused for the load, and sent again. */
  get waited(): number {
    return this.#waited;
  }

  /** Sends a draft; null when the run ends first, or only load refusals came back. */
  async send(draft: DraftRequest, label: string): Promise<Exchange | null> {
    const user = this.#users[this.#next % this.#users.length];
    this.#next += 1;
    if (user === undefined) return null;
    return user.slots.pass(() => this.#sendAs(user.key, draft, label));
  }

  async #sendAs(key: string, draft: DraftRequest, label: string): Promise<Exchange | null> {
    const { client, signal, timeoutMs, spend } = this.#options;
    const request = {
      method: draft.method,
      path: draft.path.replace(keySlot, () => encodeURIComponent(key)),
      headers: Object.fromEntries(
        Object.entries(draft.headers).map(([name, value]) => [name, value.replace(keySlot, () => key)]),
      ),
      ...(draft.body.length === 0 ? {} : { body: draft.body }),
    };
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      if (signal.aborted || !spend()) return null;
      const exchange = await client.send({ ...request, label, signal, timeoutMs });
      if (signal.aborted) return null;
      this.#pay(request, exchange);
      if (!isOfLoad(exchange)) return exchange;
      this.#waited += 1;
      await wait(retryAfterOf(exchange, attempt), undefined, { signal }).catch(() => undefined);
    }
    return null;
  }

  #pay(request: { method: string; path: string; body?: Buffer }, exchange: Exchange): void {
    const call = modelCallOf(request, wayOf(request));
    const generation = call === null ? null : generationOf(call, exchange);
    if (generation !== null) this.#options.pay(generation);
  }
}

function isOfLoad(exchange: Exchange): boolean {
  const code = errorCodeOf(exchange);
  const ofLoad = ['rate_limit_exceeded', 'concurrency_exceeded', 'channel_queue_full'];
  return exchange.response?.status === 429 && ofLoad.includes(String(code));
}

function retryAfterOf(exchange: Exchange, attempt: number): number {
  const seconds = Number(header(exchange, 'retry-after') ?? Number.NaN);
  const told = Number.isFinite(seconds) ? seconds * 1_000 : 200 * 2 ** attempt;
  return Math.min(longestWaitMs, Math.max(50, told));
}
