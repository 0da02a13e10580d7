import { type Check, defineCheck } from '../../engine/check.ts';
import type { Fact } from '../../engine/facts.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import type { KeyName } from '../../profile/profile.ts';
import { callRoute, routesOf, servedTwin } from '../../steps/routes/call-route.ts';
import { ruleOn } from './route-rule.ts';

/** Keys that exist but may not be used, each with the code that says why. */
interface GreyKey {
  readonly name: KeyName & ('disabled' | 'expired' | 'ip_restricted');
  readonly code: ErrorCode;
  readonly requirements: readonly [string, string];
  readonly title: string;
}

const greyKeys: readonly GreyKey[] = [
  {
    name: 'disabled',
    code: 'sk_disabled',
    requirements: ['AUTH-008', 'ERR-015'],
    title: 'a disabled key is answered 401 sk_disabled on every route, whatever else is wrong',
  },
  {
    name: 'expired',
    code: 'sk_expired',
    requirements: ['AUTH-009', 'ERR-016'],
    title: 'a key past its expiry is answered 401 sk_expired on every route, whatever else is wrong',
  },
  {
    name: 'ip_restricted',
    code: 'ip_not_allowed',
    requirements: ['AUTH-010', 'ERR-017'],
    title: 'a key used from outside its allow-list is answered 403 ip_not_allowed on every route',
  },
];

export const greyKeyChecks: readonly Check[] = greyKeys.map((grey) =>
  defineCheck({
    id: `auth.key.${grey.name.replaceAll('_', '-')}`,
    title: grey.title,
    requirements: [...grey.requirements, 'AUTH-018', 'AUTH-019'],
    kind: 'example',
    needs: [`keys.${grey.name}` satisfies Fact],
    run: (parts) => judgeGreyKey(parts, grey),
  }),
);

export const unexpiredKeyIsAccepted = defineCheck({
  id: 'auth.key.unexpired',
  title: 'a key works until its expiry, and one without expiry works too',
  requirements: ['AUTH-009'],
  kind: 'example',
  needs: ['keys.unexpired'],
  run: async (parts) => {
    const { keys, accounts, cases, target } = parts;
    for (const key of [keys.K1, accounts.key('unexpired')]) {
      for (const route of routesOf(target)) {
        cases.count();
        await servedTwin(parts, route, key, { requirement: 'AUTH-009', aspect: 'before-expiry' });
      }
    }
  },
});

async function judgeGreyKey(parts: CheckParts, grey: GreyKey): Promise<void> {
  const { accounts, keys, newScene, cases, judge, target } = parts;
  const headers = { authorization: `Bearer ${accounts.key(grey.name)}` };
  for (const route of routesOf(target)) {
    const requirement = ruleOn(route, grey.requirements[0]);
    const twin = await servedTwin(parts, route, keys.K1, { requirement, aspect: 'twin-served' });
    const spoilt = { ...newScene().minimal('no-such-model'), temperature: 'hot' };
    const calls = [
      { label: `the ${grey.name} key`, aspect: 'refused' },
      ...(route.takes !== 'nothing'
        ? [{ label: `the ${grey.name} key and a faulty body`, aspect: 'before-the-body', body: spoilt }]
        : []),
    ];
    for (const { aspect, ...call } of calls) {
      cases.count();
      const refusal = await callRoute(parts, route, { ...call, headers });
      judge.refused(refusal, { requirement, aspect, codes: [grey.code], twin });
    }
  }
}
