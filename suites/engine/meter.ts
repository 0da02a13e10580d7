import { setTimeout as wait } from 'node:timers/promises';
import { type Pico, picoIn } from '../oracle/money.ts';
import { readJson } from '../oracle/native/json.ts';
import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { type Exchange, isSuccess } from '../wire/exchange.ts';
import { callHook } from './call-hook.ts';
import type { ForeignTraffic } from './foreign-traffic.ts';
import { namesRequest, recordedUnder } from './request-id.ts';
import { Semaphore } from './semaphore.ts';
import { postedWithinMs } from './served-calls.ts';
import { usageRecordsOf } from './usage-record.ts';

/** One ledger entry of a request (fixtures/schemas/hooks/ledger.json). */
export interface LedgerEntry {
  readonly id: string;
  readonly kind: 'grant' | 'hold' | 'settle' | 'void' | 'correction';
  readonly book: 'credits' | 'held' | 'revenue' | 'grants';
  readonly amount: Pico;
  readonly request_id: string | null;
}

/**
 * What a business key sees of its account. The counts are null where the deployment does not report them as the reference
 * gateway does.
 */
export interface AccountView {
  readonly balance: Pico;
  readonly tokensUsed: number | null;
  readonly monthlyTokens: number | null;
}

export interface MeterContext {
  readonly profile: Pick<Profile, 'hooks' | 'http'>;
  readonly mainKey: string;
  readonly signal: AbortSignal;
  /** The tenant's recent calls whose charges may not be posted yet. */
  readonly recent?: () => readonly Exchange[];
  /** Foreign traffic on the account; null when only this run uses it. */
  readonly traffic?: ForeignTraffic | null;
}

/** How long a balance must stay unchanged before it is a starting point, and how long to wait for that, ms. */
const stillMs = 250;
const stillWithinMs = 15_000;

/** The interval between polls of a ledger that has not settled yet, ms. */
const pollMs = 50;

/**
 * Measures what calls cost, to the pico-dollar: by the ledger where the deployment shows it, otherwise by the
 * balance.
 */
export class Meter {
  readonly #context: MeterContext;
  /** A balance covers everything on its account, so only one thing is measured at a time. */
  readonly #scales = new Semaphore(1);

  constructor(context: MeterContext) {
    this.#context = context;
  }

  /** Whether charges can be attributed to single requests. */
  get byRequest(): boolean {
    return this.#context.profile.hooks.ledger !== undefined;
  }

  /**
   * The total cost of all exchanges of `work`. The ledger gives the cost of each exchange. Without a ledger, the balance of
   * the account of `key` is compared before and after, and nothing else may use the account meanwhile. `laterMs` is how much
   * later the charge may be posted, as when a client disconnects.
   * @throws Untestable when the deployment shows neither.
   */
  async charged(
    work: () => Promise<Exchange | readonly Exchange[]>,
    { key = this.#context.mainKey, laterMs = 0 }: { readonly key?: string; readonly laterMs?: number } = {},
  ): Promise<Pico> {
    const { ledger, balance } = this.#context.profile.hooks;
    if (ledger !== undefined) {
      const exchanges = [await work()].flat();
      const charges = await Promise.all(
        exchanges.map((exchange) =>
          laterMs > 0 ? this.finalChargeOf(exchange, laterMs) : this.chargeOf(exchange),
        ),
      );
      return charges.reduce((sum, charge) => sum + charge, 0n);
    }
    if (balance === undefined) throw new Untestable('charges');
    return this.#scales.pass(async () => {
      const before = await this.#stillBalance(key);
      await work();
      const lagMs = balance.lag_ms + laterMs;
      if (lagMs > 0) await wait(lagMs, undefined, { signal: this.#context.signal });
      return before - (await this.balance(key));
    });
  }

  /**
   * The cost of one request by the ledger; 0 when the ledger does not know its id. Charges may be posted a while after the
   * answer. So this waits for the charge of a served request, and for the release of any other request's hold.
   */
  async chargeOf(exchange: Exchange): Promise<Pico> {
    const isServed = isSuccess(exchange);
    return this.#settledCharge(exchange, postedWithinMs, (entries) => isServed || entries.length > 0);
  }

  /** The cost of one request once the ledger shows it as settled or voided, or after `withinMs` at the latest. */
  async finalChargeOf(exchange: Exchange, withinMs: number): Promise<Pico> {
    return this.#settledCharge(exchange, withinMs, () => true);
  }

  /** `isDue` decides from the entries so far whether more entries are expected. */
  async #settledCharge(
    exchange: Exchange,
    withinMs: number,
    isDue: (entries: RawLedger['entries']) => boolean,
  ): Promise<Pico> {
    const until = performance.now() + withinMs;
    for (;;) {
      const { entries, charge } = await this.#ledgerOf(exchange);
      const isFinal = entries.some(({ kind }) => kind === 'settle' || kind === 'void');
      if (isFinal || !isDue(entries) || performance.now() >= until) return amountIn('ledger', charge);
      await wait(pollMs, undefined, { signal: this.#context.signal });
    }
  }

  /** All ledger entries of a request, in order. */
  async entries(exchange: Exchange): Promise<LedgerEntry[]> {
    const { entries } = await this.#ledgerOf(exchange);
    return entries.map((entry) => ({ ...entry, amount: amountIn('ledger', entry.amount) }));
  }

  /** The credit left on the account of a key. */
  async balance(key: string = this.#context.mainKey): Promise<Pico> {
    return (await this.account(key)).balance;
  }

  /** The balance once it stays unchanged. If other users of the account keep changing it, nothing can be measured with it. */
  async #stillBalance(key: string): Promise<Pico> {
    const { traffic = null, signal } = this.#context;
    let last = await this.balance(key);
    if (traffic === null) return last;
    const until = performance.now() + stillWithinMs;
    for (;;) {
      await wait(stillMs, undefined, { signal });
      const next = await this.balance(key);
      if (next === last) return next;
      last = next;
      // A charge of the run itself may come a while after its call.
      if (traffic.sinceServedMs > postedWithinMs + stillMs) traffic.moved();
      if (performance.now() >= until)
        throw new Untestable('hooks.balance: a balance that moves only by calls of the run');
    }
  }

  /**
   * What the deployment shows of the account of a key.
   * @throws Untestable when it shows nothing.
   */
  async account(key: string = this.#context.mainKey): Promise<AccountView> {
    const { signal, profile } = this.#context;
    const hook = profile.hooks.balance;
    if (hook === undefined) throw new Untestable('hooks.balance');
    const body = readJson(await callHook({ name: 'balance', url: hook.url, token: key, signal }));
    return {
      balance: amountIn('balance', memberAt(body, hook.field.split('.'))),
      tokensUsed: numberOrNull(memberAt(body, ['tokens_used'])),
      monthlyTokens: numberOrNull(memberAt(body, ['monthly_tokens'])),
    };
  }

  /** The same, once it includes everything answered so far. */
  async settledAccount(key?: string): Promise<AccountView> {
    await this.settle();
    return this.account(key);
  }

  /**
   * Resolves once the account shows every call of the tenant that was served so far: by the ledger or the usage log
   * where there is one, and `hooks.balance.lag_ms` later.
   */
  async settle(): Promise<void> {
    const { signal, profile, recent = () => [] } = this.#context;
    const { balance, ledger, usage } = profile.hooks;
    const named = recent().filter((exchange) => namesRequest(exchange, profile));
    if (ledger !== undefined)
      await Promise.all(named.map((exchange) => this.finalChargeOf(exchange, postedWithinMs)));
    else if (usage !== undefined)
      await Promise.all(named.map((exchange) => usageRecordsOf(exchange, profile)));
    const { lag_ms: lagMs = 0 } = balance ?? {};
    if (lagMs > 0) await wait(lagMs, undefined, { signal });
  }

  async #ledgerOf(exchange: Exchange): Promise<RawLedger> {
    const { signal, profile } = this.#context;
    const hook = profile.hooks.ledger;
    if (hook === undefined) throw new Untestable('hooks.ledger');
    const read = async (id: string): Promise<RawLedger> => {
      const text = await callHook({
        name: 'ledger',
        url: `${hook.url}?request_id=${encodeURIComponent(id)}`,
        token: hook.token,
        shape: 'hooks/ledger',
        signal,
      });
      return JSON.parse(text) as RawLedger;
    };
    return recordedUnder(exchange, profile, { read, isFound: ({ entries }) => entries.length > 0 });
  }
}

interface RawLedger {
  readonly entries: readonly (Omit<LedgerEntry, 'amount'> & { readonly amount: string })[];
  readonly charge: string;
}

/** Parses an amount from a decimal text, or from a JSON number whose digits are kept exactly. */
function amountIn(hook: string, value: unknown): Pico {
  const text = typeof value === 'number' ? String(value) : (exactText(value) ?? value);
  const pico = typeof text === 'string' ? picoIn(text) : null;
  if (pico === null)
    throw new Error(`the ${hook} hook answered ${JSON.stringify(value)}, which is not an amount`);
  return pico;
}

/** The digits of a number that a double cannot hold, as {@link readJson} keeps them. */
function exactText(value: unknown): string | null {
  const { exactNumber } = (value ?? {}) as { exactNumber?: unknown };
  return typeof exactNumber === 'string' ? exactNumber : null;
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
