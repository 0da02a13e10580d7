import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { KeySpec, TestAccount } from '../../engine/test-accounts.ts';
import type { CoreRoute } from '../../oracle/core-routes.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { part } from '../../rules/violation.ts';
import { callRoute, routesOf, servedTwin } from '../../steps/routes/call-route.ts';
import { type ChatWay, type Rule, wayLabel } from '../../steps/ways/way-in.ts';
import { chatWaysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { ruleOn } from './route-rule.ts';

/** A change that an operator makes to a key in use, and the code of the next call. */
interface Change {
  readonly to: KeySpec;
  readonly back: KeySpec;
  readonly code: ErrorCode;
  readonly requirement: string;
}

const changes: readonly Change[] = [
  {
    to: { disabled: true },
    back: { disabled: false },
    code: 'sk_disabled',
    requirement: 'AUTH-008',
  },
  {
    to: { expires_at: '2020-01-01T00:00:00Z' },
    back: { expires_at: null },
    code: 'sk_expired',
    requirement: 'AUTH-009',
  },
  {
    to: { allow: ['192.0.2.0/24'] },
    back: { allow: [] },
    code: 'ip_not_allowed',
    requirement: 'AUTH-010',
  },
];

export const changedKeyIsRefused = defineCheck({
  id: 'auth.key.changed',
  title:
    'a key that has just been used is refused on every path once it is disabled, expired or out of range',
  requirements: ['AUTH-008', 'AUTH-009', 'AUTH-010', 'AUTH-019'],
  kind: 'example',
  needs: ['hooks.accounts'],
  run: async (parts) => {
    const account = await parts.accounts.create({ credits: '100' });
    // The plain core call is left out: the core routes include it.
    const ways = (await chatWaysOf(parts)).filter(({ name, stream }) => stream || name !== 'core');
    for (const change of changes) await part(() => judgeChange(parts, account, ways, change));
  },
});

/** A call that the key was good for, and the row that is broken when it still is. */
interface Use {
  readonly requirement: string;
  readonly call: (label: string) => Promise<Exchange>;
  readonly twin: Exchange;
}

async function judgeChange(
  parts: CheckParts,
  account: TestAccount,
  ways: readonly ChatWay[],
  change: Change,
): Promise<void> {
  const { cases, judge, target } = parts;
  const { key, keys } = account;
  const [{ id } = { id: '' }] = keys;
  const rule = { requirement: change.requirement, aspect: 'works-before-and-after' };
  const routes = routesOf(target);
  const uses: Use[] = [];
  for (const way of ways) uses.push(await useOfWay(parts, way, key, rule));
  for (const route of routes) uses.push(await useOfRoute(parts, route, key, rule));
  await account.change({ keys: { [id]: change.to } });
  for (const { requirement, call, twin } of uses)
    await part(async () => {
      cases.count();
      const refusal = await call(`a key in use, since changed by ${JSON.stringify(change.to)}`);
      judge.refused(refusal, { requirement, aspect: 'refused-once-changed', codes: [change.code], twin });
    });
  await account.change({ keys: { [id]: change.back } });
  const [first] = routes;
  if (first !== undefined) await servedTwin(parts, first, key, rule);
}

async function useOfWay(parts: CheckParts, way: ChatWay, key: string, rule: Rule): Promise<Use> {
  const call = (label: string): Promise<Exchange> =>
    way.send(parts, way.body(parts.newScene()), { label: `${wayLabel(way)}, ${label}`, key });
  const twin = await call('a key in use');
  way.judgeServed(parts, twin, rule);
  return { requirement: rule.requirement, call, twin };
}

async function useOfRoute(parts: CheckParts, route: CoreRoute, key: string, rule: Rule): Promise<Use> {
  const headers = { authorization: `Bearer ${key}` };
  return {
    requirement: ruleOn(route, rule.requirement),
    call: (label) => callRoute(parts, route, { label, headers }),
    twin: await servedTwin(parts, route, key, rule),
  };
}
