import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { callHook } from './call-hook.ts';

/** An account to be made, in the words of the accounts hook (fixtures/schemas/hooks/accounts.json). */
export interface AccountSpec {
  /** Served as the account of this key is, whose models it gets; the lane's own one when left out. */
  readonly like?: string;
  readonly prepaid?: boolean;
  /** Dollars as a text; the account is then prepaid. */
  readonly credits?: string;
  readonly monthly_tokens?: number | null;
  readonly models?: readonly string[];
  readonly users?: readonly { readonly cap?: number }[];
  readonly apps?: readonly AppSpec[];
  readonly keys?: readonly (KeySpec & { readonly user?: number; readonly app?: number })[];
}

export interface AppSpec {
  readonly markup_bp?: number;
  readonly model_markup_bp?: Readonly<Record<string, number>>;
}

export interface KeySpec {
  readonly expires_at?: string | null;
  readonly allow?: readonly string[];
  readonly disabled?: boolean;
}

/** What is to be changed of an account; users, keys and apps by their ids. */
export interface AccountChange {
  readonly grant?: string;
  readonly monthly_tokens?: number | null;
  readonly prepaid?: boolean;
  readonly models?: readonly string[] | 'all';
  readonly caps?: Readonly<Record<string, number>>;
  readonly keys?: Readonly<Record<string, KeySpec>>;
  readonly apps?: Readonly<Record<string, AppSpec>>;
}

export interface TestKey {
  readonly id: string;
  readonly secret: string;
  /** Calls that its user may have in flight. */
  readonly cap: number;
  /** Id of its user. */
  readonly user: string;
}

/** An account that was made for a check. */
export interface TestAccount {
  readonly id: string;
  readonly users: readonly string[];
  readonly apps: readonly string[];
  readonly keys: readonly TestKey[];
  /** Secret of the first key. */
  readonly key: string;
  /** Secret of the key that was listed at this place. */
  keyAt(index: number): string;
  /** In effect when it resolves. */
  change(change: AccountChange): Promise<void>;
}

export interface TestAccountsContext {
  readonly profile: Pick<Profile, 'hooks' | 'cap'>;
  /** The key like whose account others are made, unless they say otherwise. */
  readonly mainKey: string;
  readonly signal: AbortSignal;
  /** Told of each key that was made, before anybody uses it. */
  readonly onKey: (key: TestKey) => void;
}

interface Made {
  readonly account: string;
  readonly users: readonly string[];
  readonly apps: readonly string[];
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
}

/** Makes accounts for a check by the accounts hook of the deployment. */
export class TestAccounts {
  readonly #context: TestAccountsContext;

  constructor(context: TestAccountsContext) {
    this.#context = context;
  }

  /** @throws Untestable without the hook. */
  async create(spec: AccountSpec = {}): Promise<TestAccount> {
    const { mainKey, profile } = this.#context;
    const made = JSON.parse(await this.#post('', { like: mainKey, ...spec })) as Made;
    const keys = made.keys.map(({ id, secret }, index): TestKey => {
      const user = spec.keys?.[index]?.user ?? 0;
      return {
        id,
        secret,
        cap: spec.users?.[user]?.cap ?? profile.cap.value,
        user: made.users[user] ?? made.account,
      };
    });
    for (const key of keys) this.#context.onKey(key);
    const keyAt = (index: number): string => {
      const found = keys[index];
      if (found === undefined) throw new Error(`the account was made without a key ${index}`);
      return found.secret;
    };
    return {
      id: made.account,
      users: made.users,
      apps: made.apps,
      keys,
      key: keyAt(0),
      keyAt,
      change: async (change) => void (await this.#post(`/${encodeURIComponent(made.account)}`, change)),
    };
  }

  async #post(path: string, body: object): Promise<string> {
    const hook = this.#context.profile.hooks.accounts;
    if (hook === undefined) throw new Untestable('hooks.accounts');
    return callHook({
      name: 'accounts',
      url: hook.url + path,
      token: hook.token,
      body,
      signal: this.#context.signal,
      ...(path === '' ? { shape: 'hooks/accounts' as const } : {}),
    });
  }
}
