import fc from 'fast-check';
import type { Admission, Ledger, Posting } from '../../billing/ledger.ts';
import { monthOf } from '../../billing/month.ts';
import type { Totals } from './ledger-bench.ts';
import { sampleUsage } from './sample-usage.ts';

// For tests only.

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 40n }),
  fc.constantFrom(1n, 10n ** 12n, 2n ** 63n, 10n ** 24n),
);
const which = fc.record({ isOpen: fc.boolean(), index: fc.nat(5) });

/** One event for an account; `which` and `id` select among its earlier events. */
export const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('hold'),
      amount,
      overshoots: fc.boolean(),
      isAgain: fc.nat(9).map((n) => n === 0),
      which,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle'),
      which,
      charge: fc.oneof(fc.constant(0n), amount),
      tokens: fc.bigInt({ min: 0n, max: 30n }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release'), which }) },
  // What is held besides for a task. It ends by a release, as any other.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cover'), which, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('grant'), id: fc.nat(4), amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('correct'), id: fc.nat(2), amount, isLoss: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('limit'),
      prepaid: fc.boolean(),
      overdraft: fc.constantFrom(0n, 0n, 30n),
      monthlyTokens: fc.option(fc.bigInt({ min: 0n, max: 60n }), { freq: 2 }),
    }),
  },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never;

/** A call of the ledger, and the expected answer. */
export interface Move {
  readonly ask: (ledger: Ledger) => Promise<unknown>;
  readonly expected: Admission | Posting | undefined;
}

const holdOf = ({ amount: asked, overshoots }: Step & { do: 'hold' }) => ({ amount: asked, overshoots });

type Request = { id: string; amount: bigint; isOpen: boolean; isRecorded: boolean };

/** A model of an account: its expected state, computed by the simplest possible rules. */
export class AccountModel {
  readonly id: string;
  prepaid = false;
  overdraft = 0n;
  monthlyTokens: bigint | null = null;
  #posted = 0n;
  readonly #requests: Request[] = [];
  readonly #postings = new Map<string, bigint>();
  readonly #tokens = new Map<string, bigint>();

  constructor(id: string) {
    this.id = id;
  }

  totals(atMs: number): Totals {
    const held = this.#requests.reduce((sum, { isOpen, amount: one }) => sum + (isOpen ? one : 0n), 0n);
    return { posted: this.#posted, held, tokens: this.#tokens.get(monthOf(atMs)) ?? 0n };
  }

  /** Applies a step; null if the step makes no ledger call. */
  move(step: Step, atMs: number): Move | null {
    switch (step.do) {
      case 'limit':
        this.prepaid = step.prepaid;
        this.overdraft = step.overdraft;
        this.monthlyTokens = step.monthlyTokens;
        return null;
      case 'grant':
        return this.#post(`g${step.id}`, step.amount, atMs);
      case 'correct':
        return this.#post(`c${step.id}`, step.isLoss ? -step.amount : step.amount, atMs);
      case 'hold':
        return this.#hold(step, atMs);
      case 'cover':
        return this.#cover(step, atMs);
      default:
        return this.#end(step, atMs);
    }
  }

  #post(name: string, gain: bigint, atMs: number): Move {
    const before = this.#postings.get(name);
    if (before === undefined) {
      this.#postings.set(name, gain);
      this.#posted += gain;
    }
    const id = `${this.id}-${name}`;
    const common = { accountId: this.id, id, amount: gain, note: null, atMs };
    return {
      ask: (ledger) =>
        name.startsWith('g')
          ? ledger.grant(common)
          : ledger.correct({ ...common, requestId: this.#requests[0]?.id ?? null }),
      expected: before === undefined ? 'posted' : before === gain ? 'known' : 'different',
    };
  }

  #hold(step: Step & { do: 'hold' }, atMs: number): Move {
    const again = step.isAgain ? this.#pick(step.which) : null;
    const request = again ?? {
      id: `${this.id}-${this.#requests.length}`,
      amount: step.amount,
      isOpen: false,
      isRecorded: false,
    };
    const expected = this.#admission(atMs, step, again?.isOpen ?? false);
    if (again === null && expected === 'held') this.#requests.push({ ...request, isOpen: true });
    return {
      ask: async (ledger) =>
        ledger.hold({ ...holdOf(step), requestId: request.id, accountId: this.id, atMs }),
      expected,
    };
  }

  #cover(step: Step & { do: 'cover' }, atMs: number): Move | null {
    const task = this.#pick(step.which);
    if (task === null) return null;
    const id = `${task.id}:beyond`;
    const known = this.#requests.find((request) => request.id === id);
    // Once the task has ended, or what was held for it, nothing is held for it any more.
    const isWritten = task.isOpen && known === undefined;
    const { held } = this.totals(atMs);
    const bound = this.#posted + this.overdraft;
    // What is held already is not asked for again, whatever has become of the credit meanwhile.
    const isMoot = known?.isOpen === true || !task.isOpen;
    const isCovered = isMoot || !this.prepaid || bound - held >= step.amount;
    const expected = isCovered ? 'held' : bound <= 0n ? 'no_credits' : 'no_cover';
    if (expected === 'held' && isWritten)
      this.#requests.push({ id, amount: step.amount, isOpen: true, isRecorded: false });
    const hold = { requestId: id, accountId: this.id, amount: step.amount, overshoots: false, atMs };
    return { ask: async (ledger) => ledger.hold({ ...hold, ofTask: task.id }), expected };
  }

  #admission(atMs: number, { amount: asked, overshoots }: Step & { do: 'hold' }, isOpen: boolean): Admission {
    const { held, tokens: used } = this.totals(atMs);
    const bound = this.#posted + this.overdraft;
    if (this.prepaid && bound <= 0n) return 'no_credits';
    if (this.monthlyTokens !== null && used >= this.monthlyTokens) return 'no_quota';
    const needed = overshoots ? 1n : asked;
    return this.prepaid && !isOpen && bound - held < needed ? 'no_cover' : 'held';
  }

  #end(step: Step & { do: 'settle' | 'release' }, atMs: number): Move | null {
    const request = this.#pick(step.which);
    if (request === null) return null;
    request.isOpen = false;
    if (step.do === 'release')
      return { ask: (ledger) => ledger.release(request.id, atMs), expected: undefined };
    if (!request.isRecorded) {
      request.isRecorded = true;
      this.#posted -= step.charge;
      this.#tokens.set(monthOf(atMs), this.totals(atMs).tokens + step.tokens);
    }
    const record = sampleUsage(request.id, {
      account_id: this.id,
      charge_pico: step.charge,
      prompt_tokens: step.tokens / 3n,
      completion_tokens: step.tokens - step.tokens / 3n,
      ended_at_ms: atMs,
    });
    return { ask: (ledger) => ledger.settle(record), expected: undefined };
  }

  #pick({ isOpen, index }: { isOpen: boolean; index: number }): Request | null {
    const open = this.#requests.filter((request) => request.isOpen);
    const among = isOpen && open.length > 0 ? open : this.#requests;
    return among[index % Math.max(1, among.length)] ?? null;
  }
}
