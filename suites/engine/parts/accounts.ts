import type { Keys, Profile } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Fact } from '../facts.ts';
import { type AccountSpec, type TestAccount, TestAccounts } from '../test-accounts.ts';
import type { CheckRecord } from './check-record.ts';
import type { TenantSender } from './tenant-sender.ts';

export interface AccountsSettings {
  readonly profile: Profile;
  readonly keys: Keys;
  readonly signal: AbortSignal;
  readonly sender: TenantSender;
}

/** Keys beyond the main one: those of the profile, and those of accounts made for a check. */
export class Accounts {
  readonly #settings: AccountsSettings;
  readonly #record: CheckRecord;
  readonly #made: TestAccounts;

  constructor(settings: AccountsSettings, record: CheckRecord) {
    const { profile, signal, keys, sender } = settings;
    this.#settings = settings;
    this.#record = record;
    this.#made = new TestAccounts({
      profile,
      signal,
      mainKey: keys.K1,
      onKey: (key) => {
        record.conceal(key.secret, '$GATECHECK_KEY_MADE');
        record.madeKeys.set(key.secret, key);
        if (key.isPlain) record.unknownKeys.add(key.secret);
        sender.add(key);
      },
    });
  }

  /** A key that the check lists in its needs. */
  key(name: keyof Keys): string {
    const key = this.#settings.keys[name];
    if (key === undefined) throw new Error(`the check uses keys.${name} without declaring that it needs it`);
    return key;
  }

  /** Registers a key derived from a real one, so that reports show a placeholder. */
  altered(key: string): string {
    this.#record.conceal(key, this.#nameOf(key));
    return key;
  }

  /** A key with more at its end is shown as such, so that a reader can send it. */
  #nameOf(altered: string): string {
    const { K1 } = this.#settings.keys;
    const more = altered.startsWith(K1) ? altered.slice(K1.length) : '';
    return /^[\w-]{1,4}$/.test(more) ? `\${GATECHECK_KEY}${more}` : '$GATECHECK_KEY_ALTERED';
  }

  /**
   * Makes an account that the tenant's channels serve.
   * @throws Untestable without the hook.
   */
  async create(spec: AccountSpec = {}): Promise<TestAccount> {
    return this.#made.create(spec);
  }

  /**
   * A key whose account has no credits, or no monthly tokens, left: of a new account, or from the profile.
   * @throws Untestable when neither is available.
   */
  async spentKey(what: 'credits' | 'quota'): Promise<string> {
    const { no_credits, no_quota } = this.#settings.keys;
    const spec: AccountSpec = what === 'credits' ? { prepaid: true } : { credits: '1000', monthly_tokens: 0 };
    return this.#keyOf(spec, what === 'credits' ? no_credits : no_quota, 'spent');
  }

  /** A key of a new account with this credit, in dollars; without the accounts hook, the profile's key with little credit. */
  async fuseKey(credits: string): Promise<string> {
    return this.#keyOf({ credits }, this.#settings.keys.fuse, 'fuse');
  }

  async #keyOf(spec: AccountSpec, known: string | undefined, fact: Fact): Promise<string> {
    if (this.#settings.profile.hooks.accounts !== undefined) return (await this.create(spec)).key;
    if (known === undefined) throw new Untestable(fact);
    return known;
  }
}
