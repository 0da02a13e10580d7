import type { CheckResult } from 'gatecheck-reports/report';
import { expect, it } from 'vitest';
import { pricing } from '../profile/money.ts';
import { profileSchema } from '../profile/profile.ts';
import { costsOfReport } from './costs-of-report.ts';
import { planOf } from './plan.ts';

const cost = { exchanges: 9, reads: 0, ms: 900, models: { 'delta-3': [9, 9, 90, 9] } };
const costs = {
  models: ['delta-3'],
  recovery: { exchanges: 0, paid: 0, besideExchanges: 1 },
  side: 2,
  checks: { early: { profile: null, address: cost }, unseen: { profile: null, address: cost } },
};

function judged(id: string, verdict: string, exchanges: number, ms: number): CheckResult {
  const models = { 'delta-3': { asked: exchanges, paid: exchanges, prompt_tokens: 1, completion_tokens: 1 } };
  return { id, verdict, duration_ms: ms, evidence: { exchanges, models } } as unknown as CheckResult;
}

it('a plan after a run counts what that run sent, with its reruns, and how long it took', () => {
  const results = [judged('early', 'fail', 2, 4_000), judged('unseen', 'untestable', 0, 0)];
  const spent = { exchanges: 15, paid: 12, tokens: 0, usd: null };
  const own = costsOfReport(costs, { checks: results, spent, duration_ms: 4_000 });
  const profile = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' } });
  const check = (id: string) => ({ id, kind: 'example', needs: [], requirements: ['R-1'] }) as never;
  const facts = {
    ...{ profile, models: ['delta-3'], mediaModels: [], pricing: pricing.parse({}), size: 'quick' as const },
    ...{ concurrency: 1, latencyMs: 1, answerMs: null, sent: 0 },
  };
  expect(planOf([check('early')], own, facts)).toMatchObject({
    exchanges: 15,
    paid: { chat: 12 },
    ms: 4_000,
  });
  expect(planOf([check('early')], costs, facts)).toMatchObject({ exchanges: 9, paid: { chat: 9 }, ms: 450 });
  expect(own.checks.unseen).toEqual(costs.checks.unseen);
});
