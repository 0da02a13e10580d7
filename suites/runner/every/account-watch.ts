import { setTimeout as wait } from 'node:timers/promises';
import { type AccountView, Meter } from '../../engine/meter.ts';
import { namesRequest } from '../../engine/request-id.ts';
import { postedWithinMs } from '../../engine/served-calls.ts';
import type { TestKey } from '../../engine/test-accounts.ts';
import type { Judged } from '../../oracle/exchange/judge-exchange.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import type { Keys, Profile } from '../../profile/profile.ts';
import type { Finding } from '../../rules/violation.ts';
import { type Exchange, errorCodeOf } from '../../wire/exchange.ts';
import { type Due, dueOf, isWithin, markupsFor, payersOf, rangeText, type Spent, sumOf } from './call-due.ts';
import { isOver, kindOf, type MayAsk } from './call-kind.ts';
import { withCharge } from './charged-breaks.ts';
import { isElsewhere, isOfMade, type Payer, payerOf } from './payer.ts';
import { countsTokens, type MonthAt, type TokenUse, tokenFindings, tokenUse } from './quota-use.ts';

/** A call of the account, without its payers. */
export type AccountCall = Omit<Spent, 'payers'>;

/** The interval between reads of a balance, until it is right, ms. */
const pollMs = 100;
/** The most calls that are looked up when a balance is wrong. */
const mostLookedUp = 100;

/** Facts of the check and its deployment. */
interface AccountKnown {
  readonly madeKey: (secret: string) => TestKey | undefined;
  readonly monthAt: MonthAt;
}

/** An account before its calls, and what they cost. */
interface Awaited extends Pick<AccountView, 'balance' | 'tokensUsed'> {
  readonly due: Due | null;
  readonly use: TokenUse;
}

/** Compares what the calls of a check cost with what its account pays ("Billing", readings B-36, B-43, B-45). */
export class AccountWatch {
  readonly #profile: Profile;
  readonly #keys: Keys;
  readonly #meter: Meter;
  readonly #signal: AbortSignal;
  readonly #madeKey: (secret: string) => TestKey | undefined;
  readonly #monthAt: MonthAt;
  #before: AccountView | null = null;
  #begunIn: string | null = null;

  /** @param madeKey the key of an account that the check has made; its single calls are judged too */
  constructor(profile: Profile, keys: Keys, signal: AbortSignal, { madeKey, monthAt }: AccountKnown) {
    this.#madeKey = madeKey;
    this.#monthAt = monthAt;
    this.#profile = profile;
    this.#keys = keys;
    this.#meter = new Meter({ profile, signal, mainKey: keys.K1 });
    this.#signal = signal;
  }

  /** Whether charges can be known: on a shared account, another caller may have moved the balance. */
  static isPossible({ hooks, pricing, tenants }: Profile): boolean {
    return hooks.balance !== undefined && pricing.models !== undefined && tenants.length > 0;
  }

  /** Reads the account before the check. If that fails, charges are not judged. */
  async begin(): Promise<void> {
    this.#begunIn = this.#monthAt(Date.now());
    this.#before = await this.#meter.account().catch(() => null);
  }

  /** Judges the account after the check. */
  async conclude(calls: readonly AccountCall[], mayAsk: MayAsk): Promise<Judged<string>[]> {
    const before = this.#before;
    const paidHere = calls.filter(({ exchange }) => !isElsewhere(this.#payerOf(exchange)));
    const means = { profile: this.#profile, meter: this.#meter, mayAsk };
    const own = await Promise.all(paidHere.map((one) => withCharge(one, this.#spentOf(one), means)));
    const made = await this.#books(calls);
    if (before === null || own.length === 0) return made;
    const dues = own.map((one) => ({ ...one, due: this.#dueOf(one) }));
    const total = sumOf(dues.map(({ due }) => due));
    const use = this.#useOfMonth(own);
    const after = await this.#settled({ ...before, due: total, use });
    const grounds = [...made, ...this.#groundless(own, after), ...this.#quota(before, after, use)];
    if (total === null) return grounds;
    const paid = before.balance - after.balance;
    // Charges of an earlier check may come late, so only money that comes back is nobody else's.
    const isKnown = dues.every(({ exchange }) => namesRequest(exchange, this.#profile));
    const isGain = paid < total.least && isKnown && this.#meter.byRequest && dues.length <= mostLookedUp;
    const findings = isGain
      ? await this.#unbalanced(dues, paid, total)
      : isWithin(paid, total)
        ? []
        : await this.#wrong(dues);
    return [...grounds, { row: 'charges', findings }];
  }

  /**
   * Judges the accounts that the check has made. Nobody else uses them, so their calls explain all that has become of their
   * credit and of their tokens.
   */
  async #books(calls: readonly AccountCall[]): Promise<Judged<string>[]> {
    const judged: Judged<string>[] = [];
    const known = calls.flatMap((one) => {
      const payer = this.#payerOf(one.exchange);
      return isOfMade(payer) ? [{ ...one, payer, due: this.#dueOf(one) }] : [];
    });
    for (const [{ paidIn }, own] of Map.groupBy(known, ({ payer }) => payer.account)) {
      const total = paidIn === null ? null : sumOf(own.map(({ due }) => due));
      const use = tokenUse(own, this.#monthAt, Date.now());
      const view = await this.#settledAt(
        own.map(({ payer }) => payer.secret),
        { balance: paidIn ?? 0n, tokensUsed: 0, due: total, use },
      );
      if (view === null) continue;
      const findings = [
        ...(paidIn === null || total === null
          ? []
          : await this.#unbalanced(own, paidIn - view.balance, total)),
        ...(view.tokensUsed === null ? [] : tokenFindings(use, view.tokensUsed, view)),
      ];
      if (total !== null || findings.length > 0) judged.push({ row: 'charges', findings });
    }
    return judged;
  }

  /** The calls with a wrong charge; or else the whole, when it is not the sum of its parts. */
  async #unbalanced(
    calls: readonly (AccountCall & { due: Due | null })[],
    paid: Pico,
    total: Due,
  ): Promise<Finding[]> {
    if (isWithin(paid, total)) return [];
    const wrong = await this.#wrong(calls);
    const whole = {
      ...{ requirement: 'BILL-001', aspect: 'books-of-the-account', exchange: calls.at(-1)?.exchange },
      expected: `${rangeText(total)} in all for ${calls.length} calls, each of which is charged rightly`,
      actual: dollarText(paid),
    };
    return wrong.length > 0 ? wrong : [whole];
  }

  /** The tokens of the calls; of none where the month has changed since the check began, and its count with it. */
  #useOfMonth(own: readonly AccountCall[]): TokenUse {
    return tokenUse(this.#isFirstMonth ? own : [], this.#monthAt, Date.now());
  }

  get #isFirstMonth(): boolean {
    return this.#begunIn !== null && this.#begunIn === this.#monthAt(Date.now());
  }

  /** Judges the tokens of the tenant's account, if the month has not changed meanwhile. */
  #quota({ tokensUsed: before }: AccountView, after: AccountView, use: TokenUse): Judged<string>[] {
    if (!this.#isFirstMonth || before === null || after.tokensUsed === null) return [];
    // Tokens of an earlier check may come late, so only too few are nobody else's.
    const atLeast = { ...use, most: null };
    return [{ row: 'charges', findings: tokenFindings(atLeast, after.tokensUsed - before, after) }];
  }

  /** Waits until the account is as expected, or the time is up, because charges may be posted a while after their answers. */
  async #settled({ balance, tokensUsed, due, use }: Awaited, key?: string): Promise<AccountView> {
    const { lag_ms: lagMs = 0 } = this.#profile.hooks.balance ?? {};
    const until = performance.now() + postedWithinMs + lagMs;
    for (;;) {
      const after = await this.#meter.account(key);
      const isPaid = due === null || isWithin(balance - after.balance, due);
      const risen = (after.tokensUsed ?? 0) - (tokensUsed ?? 0);
      const isCounted = use.least === 0 || risen >= use.least || !countsTokens(after);
      if ((isPaid && isCounted) || performance.now() >= until) return after;
      await wait(pollMs, undefined, { signal: this.#signal });
    }
  }

  /** The same by the first of these keys that still reads its account; null where a check has disabled all of them. */
  async #settledAt(keys: readonly string[], awaited: Awaited): Promise<AccountView | null> {
    for (const key of new Set(keys)) {
      const view = await this.#settled(awaited, key).catch(() => null);
      if (view !== null) return view;
    }
    return null;
  }

  /** The calls with a wrong charge. None if all are right, because then something else changed the balance. */
  async #wrong(dues: readonly (AccountCall & { due: Due | null })[]): Promise<Finding[]> {
    const meter = this.#meter;
    if (!meter.byRequest) return [];
    const found: Finding[] = [];
    for (const { exchange, call, due } of dues.slice(0, mostLookedUp)) {
      if (due === null || !namesRequest(exchange, this.#profile)) continue;
      const charge = await meter.chargeOf(exchange);
      if (isWithin(charge, due)) continue;
      const isFree = due.most === 0n && (exchange.response?.status ?? 0) >= 400;
      found.push({
        requirement: isFree ? 'BILL-008' : 'BILL-001',
        aspect: isFree ? 'failed-is-free' : 'charge-of-the-call',
        expected: `${rangeText(due)} for this call of ${call.model}, by what its upstream counted`,
        actual: dollarText(charge),
        exchange,
      });
    }
    return found;
  }

  /**
   * Judges in the ledger that single ended calls have no hold and the right charge. `mayAsk` selects some calls of each kind.
   * It works even when the costs of other calls are unknown.
   */
  async singles(calls: readonly AccountCall[], mayAsk: MayAsk): Promise<Judged<string>[]> {
    const meter = this.#meter;
    if (!meter.byRequest) return [];
    const judged: Judged<string>[] = [];
    for (const one of calls) {
      const { exchange } = one;
      if (!namesRequest(exchange, this.#profile) || this.#payerOf(exchange) === undefined) continue;
      const isMade = isOfMade(this.#payerOf(exchange));
      if (!isOver(one) || !mayAsk(kindOf(one), isMade)) continue;
      const due = this.#dueOf(one);
      if (due !== null) judged.push({ row: 'charges', findings: await this.#wrong([{ ...one, due }]) });
      const held = await this.#heldFor(exchange);
      const finding = {
        requirement: 'BILL-008',
        aspect: 'hold-let-go',
        expected: 'nothing on hold for a call that has ended',
        actual: `${dollarText(held)} on hold`,
        exchange,
      };
      judged.push({ row: 'holds', findings: held === 0n ? [] : [finding] });
    }
    return judged;
  }

  /** The amount on hold for a call, once it is released or the time is up. */
  async #heldFor(exchange: Exchange): Promise<Pico> {
    const until = performance.now() + postedWithinMs;
    for (;;) {
      const entries = await this.#meter.entries(exchange);
      const held = entries.reduce((sum, { book, amount }) => (book === 'held' ? sum + amount : sum), 0n);
      if (held === 0n || performance.now() >= until) return held;
      await wait(pollMs, undefined, { signal: this.#signal });
    }
  }

  /** An account with credit and quota left is not refused for lack of them. */
  #groundless(
    calls: readonly AccountCall[],
    { balance, tokensUsed, monthlyTokens }: AccountView,
  ): Judged<string>[] {
    const hasQuota = monthlyTokens === null || tokensUsed === null || tokensUsed < monthlyTokens;
    const chats = calls.filter(({ call }) => ['chat', 'compatA', 'compatB'].includes(call.protocol));
    const refused = chats.find(({ exchange }) => errorCodeOf(exchange) === 'quota_exceeded');
    const isGroundless = refused !== undefined && balance > 0n && hasQuota;
    const finding = {
      requirement: 'ERR-021',
      aspect: 'credit-left',
      expected: 'no quota_exceeded while neither balance nor quota is exhausted',
      actual: `quota_exceeded with a balance of ${dollarText(balance)}`,
      exchange: refused?.exchange,
    };
    return chats.map((one) => ({
      row: 'grounds',
      findings: isGroundless && one === refused ? [finding] : [],
    }));
  }

  #dueOf(call: AccountCall): Due | null {
    const spent = this.#spentOf(call);
    return spent === null ? null : dueOf(this.#profile, spent);
  }

  #payerOf(exchange: Exchange): Payer {
    return payerOf(exchange, this.#keys, this.#madeKey);
  }

  /** A call with the markups that may hold; null where no known account pays. */
  #spentOf(call: AccountCall): Spent | null {
    const payer = this.#payerOf(call.exchange);
    if (payer === undefined) return null;
    return { ...call, payers: isOfMade(payer) ? markupsFor(payer, call) : payersOf(this.#profile, payer) };
  }
}
