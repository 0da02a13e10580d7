import { expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { callsOf, countsOf, knowledges, loadCheckCosts } from './check-costs.ts';

const costs = loadCheckCosts();

it('names each check, and no other (CONTRIBUTING.md, "Add a check", says how to measure one)', () => {
  expect(Object.keys(costs.checks).toSorted()).toEqual(allChecks.map(({ id }) => id).toSorted());
});

it('has measured each check with a full profile, and each that needs no fact by address and key', () => {
  const open = allChecks.filter(({ id }) => costs.checks[id]?.profile === null).map(({ id }) => id);
  expect(open).toEqual([]);
  const bare = allChecks.filter(({ needs }) => needs.length === 0);
  const measured = bare.filter(({ id }) => costs.checks[id]?.address !== null);
  // A few of them find nothing to ask without more facts.
  expect(measured.length).toBeGreaterThan(0.9 * bare.length);
});

it('was measured with all models, and its counts fit each other', () => {
  expect(costs.models).toEqual([...chatCatalogue, ...mediaModels].map(({ id }) => id));
  for (const [id, measured] of Object.entries(costs.checks))
    for (const knowledge of knowledges) {
      const cost = measured[knowledge];
      if (cost === null) continue;
      const calls = Object.values(cost.models).map(callsOf);
      const asked = calls.reduce((sum, one) => sum + one.asked, 0);
      expect(asked + cost.reads, id).toBeLessThanOrEqual(cost.exchanges);
      for (const one of calls) {
        expect(one.paid, id).toBeLessThanOrEqual(one.asked);
        const special = one.cached_tokens + one.cache_write_5m_tokens + one.cache_write_1h_tokens;
        expect(special, id).toBeLessThanOrEqual(one.prompt_tokens);
      }
    }
});

it('keeps counts without the zeros at their end', () => {
  expect(countsOf({ asked: 3, paid: 1, images: 4 })).toEqual([3, 1, 0, 0, 0, 0, 0, 4]);
  expect(callsOf([3, 1])).toMatchObject({ asked: 3, paid: 1, images: 0, seconds: 0 });
});
