import type { Route } from '../http/route.ts';
import type { Siblings } from '../siblings.ts';
import type { StoreLink } from '../store/store-link.ts';
import { type AccountsHook, changeTestAccount, createTestAccount } from './accounts-hook.ts';
import { type ClockHook, clockEndpoints } from './clock-hook.ts';
import { type Hook, hookEndpoint } from './hook.ts';
import { type EntrySource, showLedger } from './ledger-hook.ts';
import { readStore, switchStore } from './store-hook.ts';
import { showUsage, type UsageSource } from './usage-hook.ts';

/** The hooks of a test gateway, for callers with the token. Null for a hook that is not enabled. */
export interface TestHooks {
  readonly token: string;
  /** The worker processes, each of which has a clock and connections to the database. */
  readonly siblings: Siblings;
  readonly clock: ClockHook | null;
  readonly store: StoreLink | null;
  readonly usage: UsageSource | null;
  readonly ledger: EntrySource | null;
  readonly accounts: AccountsHook | null;
}

/** The routes of the hooks that the configuration enables; the others do not exist. */
export function hookRoutes(hooks: TestHooks | null): readonly Route[] {
  if (hooks === null) return [];
  const { token, siblings, clock, store, usage, ledger, accounts } = hooks;
  const open = (hook: Hook, status?: number) => hookEndpoint(token, hook, status);
  const routes: Route[] = [];
  if (clock !== null)
    routes.push({
      path: '/hooks/clock',
      endpoints: clockEndpoints(clock, siblings, open),
    });
  if (store !== null)
    routes.push({
      path: '/hooks/store',
      endpoints: { GET: open(() => readStore(store)), POST: open(switchStore(store, siblings)) },
    });
  if (usage !== null) routes.push({ path: '/hooks/usage', endpoints: { GET: open(showUsage(usage)) } });
  if (ledger !== null) routes.push({ path: '/hooks/ledger', endpoints: { GET: open(showLedger(ledger)) } });
  if (accounts !== null)
    routes.push(
      { path: '/hooks/accounts', endpoints: { POST: open(createTestAccount(accounts), 201) } },
      { path: '/hooks/accounts/:account', endpoints: { POST: open(changeTestAccount(accounts)) } },
    );
  return routes;
}
