import { expect, it } from 'vitest';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { callsOf, countsOf, knowledges, loadCheckCosts } from './check-costs.ts';

const costs = loadCheckCosts();

it('was measured with all models, with consistent counts', () => {
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

it('drops trailing zeros from counts', () => {
  expect(countsOf({ asked: 3, paid: 1, images: 4 })).toEqual([3, 1, 0, 0, 0, 0, 0, 4]);
  expect(callsOf([3, 1])).toMatchObject({ asked: 3, paid: 1, images: 0, seconds: 0 });
});
