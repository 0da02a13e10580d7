import { expect, it } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { declaredCharge, markupOf, priceOf } from './declared-price.ts';

const profile = profileSchema.parse({
  base_url: 'http://127.0.0.1:1',
  keys: { K1: 'sk-app-1' },
  pricing: {
    models: { 'delta-3': { input: '1', output: '2' } },
    markup_bp: { K1: 1_000, K5: 2_000 },
    model_markup_bp: { K5: { 'delta-3': 0 } },
  },
});
const counts = {
  prompt_tokens: 10,
  completion_tokens: 5,
  cached_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
};

it("computes a charge from the list price and the key's markup on that model", () => {
  expect(declaredCharge(profile, 'delta-3', counts)).toBe(22_000_000n);
  expect(declaredCharge(profile, 'delta-3', counts, 'K5')).toBe(20_000_000n);
  expect(declaredCharge(profile, 'delta-3', counts, { bp: -10_000 })).toBe(0n);
  expect(markupOf(profile, 'K5', 'alpha-5-2')).toBe(2_000);
});

it('allows a deployment to round to a coarser unit', () => {
  const coarse = { pricing: { ...profile.pricing, unit: '0.00001' } };
  expect(declaredCharge(coarse, 'delta-3', counts)).toBe(20_000_000n);
});

it('is untestable without a declared price', () => {
  const bare = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'sk-app-1' } });
  expect(() => priceOf(profile, 'alpha-5-2')).toThrow(new Untestable('pricing.models.alpha-5-2'));
  expect(() => priceOf(bare, 'delta-3')).toThrow(new Untestable('pricing.models'));
  expect(() => markupOf(bare, 'K1', 'delta-3')).toThrow(new Untestable('pricing.markup'));
});
