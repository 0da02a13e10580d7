import { expect, test } from 'vitest';
import type { Check } from '../engine/check.ts';
import type { Fact } from '../engine/facts.ts';
import type { CheckCosts } from '../plan/check-costs.ts';
import { profileSchema } from '../profile/profile.ts';
import { evidenceOf } from './gains.ts';

function check(id: string, requirements: string[], needs: Fact[]): Check {
  return {
    id,
    title: id,
    requirements,
    kind: 'example',
    needs,
    run: () => Promise.resolve(),
  } as unknown as Check;
}

const costs: CheckCosts = {
  models: [],
  recovery: { exchanges: 0, paid: 0, besideExchanges: 1 },
  side: 1,
  checks: {},
};

const checks = [
  check('a.plain', ['AAA-001'], []),
  check('a.second', ['AAA-001', 'AAA-002'], ['keys.K2']),
  check('a.behind', ['AAA-003'], ['upstream.control']),
  check('a.both', ['AAA-004'], ['upstream.control', 'hooks.clock']),
];
const targetWith = (more: object, enabled: readonly string[] = []) => ({
  profile: profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' }, ...more }),
  enabled: new Set(enabled),
});

test('a fact unlocks checks that lack nothing else, and rules judged in part or not at all', () => {
  const evidence = evidenceOf(checks, costs, targetWith({}));
  expect(evidence).toMatchObject({ checks: 1, ofChecks: 4, rules: 0, ofRules: 4 });
  expect(evidence.gains).toEqual([
    { fact: 'keys.K2', checks: 1, rules: 2, together: 0, others: [] },
    { fact: 'upstream.control', checks: 1, rules: 1, together: 1, others: ['hooks.clock'] },
    { fact: 'hooks.clock', checks: 0, rules: 0, together: 1, others: ['upstream.control'] },
  ]);
});

test('declared facts count, and facts declared absent are not reported as missing', () => {
  const evidence = evidenceOf(
    checks,
    costs,
    targetWith({ keys: { K1: 'k', K2: 'l' }, absent: ['upstream.control'] }),
  );
  expect(evidence).toMatchObject({ checks: 2, ofChecks: 2, rules: 2 });
  expect(evidence.gains).toEqual([]);
});

test('a check that lacked a fact during its measurement cannot be judged without it', () => {
  const none = { exchanges: 1, reads: 0, ms: 1, models: {} };
  const address = { ...none, lacks: ['media.image_urls' as const] };
  const measured = { ...costs, checks: { 'a.plain': { profile: none, address } } };
  const evidence = evidenceOf(checks.slice(0, 1), measured, targetWith({}));
  expect(evidence).toMatchObject({ checks: 0, rules: 0 });
  const gained = evidence.gains.find(({ fact }) => fact === 'media.image_urls');
  expect(gained).toMatchObject({ checks: 1, rules: 1 });
});

test('a check whose only model is disabled judges nothing', () => {
  const cost = { exchanges: 1, reads: 0, ms: 1, models: { 'delta-3': [1] } };
  const named = check('cat.model.delta-3', ['AAA-001'], []);
  const measured = {
    ...costs,
    models: ['delta-3', 'alpha-5-2'],
    checks: { 'cat.model.delta-3': { profile: cost, address: cost } },
  } as unknown as CheckCosts;
  const judgedWith = (...enabled: string[]) => evidenceOf([named], measured, targetWith({}, enabled)).checks;
  expect([judgedWith('delta-3'), judgedWith('alpha-5-2')]).toEqual([1, 0]);
  // It does not count either if the deployment need not have the model.
  const absent = targetWith({ absent: ['images'] }, ['alpha-5-2']);
  expect(evidenceOf([named], measured, absent).ofChecks).toBe(0);
});
