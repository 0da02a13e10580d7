import { type Pico, picoIn } from '../oracle/money.ts';
import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { callHook } from './call-hook.ts';

/** An account to be made, with the names of the accounts hook (fixtures/schemas/hooks/accounts.json). */
export interface AccountSpec {
  /** The key of the account whose models and service the new account copies. Default: the tenant's own account. */
  readonly like?: string;
  readonly prepaid?: boolean;
  /** Dollars as a decimal text. The account is then prepaid. */
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

/** What to change on an account; users, keys and apps are named by their ids. */
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
  /** The number of calls that its user may have in flight. */
  readonly cap: number;
  /** The id of the key's user. */
  readonly user: string;
  /** Whether the key works as soon as it is made, because nothing in its spec keeps callers out. */
  readonly isPlain: boolean;
  /** The markups of the key's app so far; empty where the check has stated none. */
  readonly markups: readonly StatedMarkup[];
  readonly account: PaidAccount;
}

/** What an account was given. */
export interface PaidAccount {
  /** Its credits and grants so far; null where the deployment was told of none. */
  paidIn: Pico | null;
}

/** A markup that the deployment was told, ms of real time. */
export interface StatedMarkup {
  readonly app: AppSpec;
  /** When it was sent. It may have been in effect from then on. */
  readonly fromMs: number;
  /** When another one was surely in effect. */
  untilMs: number;
}

/** An account that was made for a check. */
export interface TestAccount {
  readonly id: string;
  readonly users: readonly string[];
  readonly apps: readonly string[];
  readonly keys: readonly TestKey[];
  /** Secret of the first key. */
  readonly key: string;
  /** The secret of the key at this index of the list. */
  keyAt(index: number): string;
  /** Resolves when the change is in effect. */
  change(change: AccountChange): Promise<void>;
}

export interface TestAccountsContext {
  readonly profile: Pick<Profile, 'hooks' | 'cap'>;
  /** New accounts are made like the account of this key, unless a spec names another one. */
  readonly mainKey: string;
  readonly signal: AbortSignal;
  /** Called with each key that was made, before it is used. */
  readonly onKey: (key: TestKey) => void;
}

interface Made {
  readonly account: string;
  readonly users: readonly string[];
  readonly apps: readonly string[];
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
}

function isPlain({ disabled, expires_at: expiresAt, allow }: KeySpec = {}): boolean {
  return disabled !== true && (expiresAt ?? null) === null && allow === undefined;
}

/** What an app pays from the start, if its spec says so. */
function statedFirst(app: AppSpec = {}): StatedMarkup[] {
  return app.markup_bp === undefined
    ? []
    : [{ app, fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }];
}

/** Adds a changed markup. Where the first one is not known, a change of a part of it tells nothing. */
function stateAnother(stated: StatedMarkup[], change: AppSpec | undefined, fromMs: number): void {
  const last = stated.at(-1);
  if (last === undefined || change === undefined) return;
  last.untilMs = Date.now();
  stated.push({ app: { ...last.app, ...change }, fromMs, untilMs: Number.POSITIVE_INFINITY });
}

/** Makes accounts for a check through the accounts hook of the deployment. */
export class TestAccounts {
  readonly #context: TestAccountsContext;

  constructor(context: TestAccountsContext) {
    this.#context = context;
  }

  /** @throws Untestable without the hook. */
  async create(spec: AccountSpec = {}): Promise<TestAccount> {
    const { mainKey, profile } = this.#context;
    const made = JSON.parse(await this.#post('', { like: mainKey, ...spec })) as Made;
    const account: PaidAccount = { paidIn: spec.credits === undefined ? null : picoIn(spec.credits) };
    const markups = made.apps.map((_, app) => statedFirst(spec.apps?.[app]));
    const keys = made.keys.map(({ id, secret }, index): TestKey => {
      const user = spec.keys?.[index]?.user ?? 0;
      return {
        id,
        secret,
        cap: spec.users?.[user]?.cap ?? profile.cap.value,
        user: made.users[user] ?? made.account,
        isPlain: isPlain(spec.keys?.[index]),
        markups: markups[spec.keys?.[index]?.app ?? 0] ?? [],
        account,
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
      change: async (change) => {
        const fromMs = Date.now();
        await this.#post(`/${encodeURIComponent(made.account)}`, change);
        if (account.paidIn !== null) account.paidIn += picoIn(change.grant ?? '0') ?? 0n;
        for (const [place, id] of made.apps.entries())
          stateAnother(markups[place] ?? [], change.apps?.[id], fromMs);
      },
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
