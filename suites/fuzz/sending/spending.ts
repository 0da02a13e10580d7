import type { Generation } from '../../engine/model-calls.ts';
import type { Budget, Pricing } from '../../profile/money.ts';
import { RunBudget } from '../../runner/run-budget.ts';

/** The number of accepted calls that a run that must not pay tolerates as accidents before it stops. */
const mostAccidents = 25;

export interface SpendingLimits extends Budget {
  readonly pricing: Pricing;
  /** The number of requests that were sent before the run began. */
  readonly before: number;
  readonly mayPay: boolean;
}

/** Counts what a run sends and pays for, and decides when it is over. */
export class Spending {
  readonly #budget: RunBudget;
  readonly #mayPay: boolean;
  #why: string | null = null;

  constructor({ mayPay, before, pricing, exchanges, tokens, usd }: SpendingLimits) {
    this.#mayPay = mayPay;
    this.#budget = new RunBudget({ exchanges, tokens, usd, pricing, before: { exchanges: before } });
  }

  /** Why nothing more may be sent; null while there is room. */
  get over(): string | null {
    return this.#budget.spent ?? this.#why;
  }

  get total(): RunBudget['total'] {
    return this.#budget.total;
  }

  /** Counts one request before it is sent; false when it may not be sent any more. */
  spend(): boolean {
    if (this.over !== null) return false;
    try {
      this.#budget.spend();
      return true;
    } catch {
      return false;
    }
  }

  pay(generation: Generation): void {
    this.#budget.pay(generation);
    if (!this.#mayPay && this.#budget.total.paid >= mostAccidents)
      this.#why = `${mostAccidents} requests were accepted that had to be refused, and this run must not pay: give --usd`;
  }

  /** Ends the run when the account of the key is exhausted, because every further call would be refused for that. */
  exhausted(code: string): void {
    this.#why ??= `the account of the key is exhausted (${code})`;
  }
}
