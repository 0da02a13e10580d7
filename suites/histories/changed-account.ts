import type { TestAccount } from '../engine/test-accounts.ts';
import { keyGrounds } from '../oracle/world/judge-call.ts';
import type { KeyState } from '../oracle/world/world.ts';
import { must } from '../rules/violation.ts';
import { type Exchange, errorCodeOf, outcomeOf } from '../wire/exchange.ts';
import { setKeyState } from './change-world.ts';
import type { Insider, TaskChange } from './task-history.ts';

const placeOf: Readonly<Record<Insider, number>> = { owner: 0, colleague: 1 };

/** An account with tasks, and what an administrator has changed on it since the last submission. */
export class ChangedAccount {
  readonly #account: TestAccount;
  readonly #otherModels: readonly string[];
  readonly #states = new Map<Insider, KeyState>();
  #isChanged = false;

  /** @param otherModels models that make no tasks, which the account keeps when it loses all others */
  constructor(account: TestAccount, otherModels: readonly string[]) {
    this.#account = account;
    this.#otherModels = otherModels;
  }

  async change(change: TaskChange): Promise<void> {
    this.#isChanged = true;
    switch (change.what) {
      case 'key':
        await setKeyState(this.#account, placeOf[change.key], change.state);
        this.#states.set(change.key, change.state);
        return;
      case 'models':
        if (this.#otherModels.length > 0) await this.#account.change({ models: this.#otherModels });
        return;
      case 'quota':
        return this.#account.change({ monthly_tokens: 0 });
    }
  }

  /** Undoes all changes. */
  async restore(): Promise<void> {
    if (!this.#isChanged) return;
    for (const key of this.#states.keys()) await this.change({ what: 'key', key, state: 'live' });
    await this.#account.change({ models: 'all', monthly_tokens: null });
    this.#isChanged = false;
  }

  /**
   * Judges the answer to a key that is not let in.
   * @returns whether it is such a key
   * @throws Violation
   */
  turnsAway(by: Insider, exchange: Exchange): boolean {
    const state = this.#states.get(by) ?? 'live';
    if (state === 'live') return false;
    const { codes, requirement } = keyGrounds[state];
    must(
      codes.some((code) => code === errorCodeOf(exchange)),
      {
        ...{ requirement, aspect: 'refused-in-time', exchange },
        expected: `${codes.join(' or ')}: the key is ${state}`,
        actual: `${outcomeOf(exchange)} ${errorCodeOf(exchange) ?? ''}`,
      },
    );
    return true;
  }
}
