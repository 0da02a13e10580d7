import type { Size } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { type Profile, type ProfileInput, profileSchema } from '../profile/profile.ts';
import type { CheckCost } from './check-costs.ts';
import { type ExpectedCost, expectedCost } from './expected-cost.ts';

const all = [...chatCatalogue, ...mediaModels].map(({ id }) => id);
const profileWith = (more: Partial<ProfileInput> = {}): Profile =>
  profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' }, ...more });
const recovery = { exchanges: 0, paid: 0, besideExchanges: 1 };

function expected(
  cost: CheckCost,
  { id = 'a.b', enabled = all, size = 'quick' }: { id?: string; enabled?: string[]; size?: Size } = {},
): ExpectedCost | null {
  const costs = { models: all, recovery, side: 1, checks: { [id]: { profile: cost, address: null } } };
  const where = { profile: profileWith(), enabled: new Set(enabled), size };
  return expectedCost({ id, kind: 'property' }, costs, where);
}

const askedIn = (cost: ExpectedCost | null): Record<string, number> =>
  Object.fromEntries([...(cost?.models ?? [])].map(([model, { asked }]) => [model, asked]));

describe('the cost of a check on a deployment', () => {
  const drawn = { exchanges: 7, reads: 0, ms: 5, models: { 'alpha-5-2': [4], 'delta-3': [1], 'gc-x': [2] } };

  it('is the measured cost when its models are enabled', () => {
    expect(expected(drawn)).toMatchObject({ exchanges: 7, reads: 0, ms: 5 });
    expect(askedIn(expected(drawn))).toEqual({ 'alpha-5-2': 4, 'delta-3': 1, 'gc-x': 2 });
  });

  it('counts calls of another model of the group in place of a drawn one', () => {
    const there = expected(drawn, { enabled: ['delta-3'] });
    expect(there?.exchanges).toBe(7);
    expect(askedIn(there)).toEqual({ 'delta-3': 5, 'gc-x': 2 });
  });

  it('omits calls that need a missing model by name, or a model of a missing group', () => {
    const named = { ...drawn, models: { 'alpha-5-2': [4] } };
    expect(expected(named, { id: 'cat.model.alpha-5-2', enabled: ['delta-3'] })?.exchanges).toBe(3);
    expect(expected(drawn, { enabled: ['vidB2'] })?.exchanges).toBe(2);
  });

  it('has fewer calls for a check of each model, and fewer reads of their tasks', () => {
    const videos = mediaModels.filter(({ endpoint, medium }) => endpoint === 'tasks' && medium === 'video');
    const models = Object.fromEntries(videos.map(({ id }) => [id, [2, 1, 0, 0, 0, 0, 0, 0, 5]]));
    const reads = 3 * videos.length;
    const cost = { exchanges: 2 * videos.length + reads, reads, ms: 1, models };
    expect(expected(cost, { enabled: ['vidB2'] })).toMatchObject({ exchanges: 5, reads: 3 });
  });

  it('has all calls of a check that names each model to have it refused', () => {
    const models = Object.fromEntries(mediaModels.map(({ id }) => [id, [3]]));
    const cost = { exchanges: 3 * mediaModels.length, reads: 0, ms: 1, models };
    expect(expected(cost, { enabled: ['delta-3'] })?.exchanges).toBe(cost.exchanges);
  });

  it('is ten times as high for a property in full size', () => {
    const there = expected(drawn, { size: 'full' });
    expect(there).toMatchObject({ exchanges: 70, ms: 50 });
    expect(askedIn(there)['alpha-5-2']).toBe(40);
  });

  it('is the measured cost in the smoke size, or a share of the quick cost', () => {
    const cost = { exchanges: 24, reads: 4, ms: 50, models: { 'alpha-5-2': [20] } };
    const smoke = { exchanges: 6, reads: 1, ms: 20, models: { 'alpha-5-2': [5], 'delta-3': [1, 1, 30] } };
    const smokeOf = (more: { smoke?: CheckCost }, profile = profileWith()): ExpectedCost | null =>
      expectedCost(
        { id: 'a', kind: 'example' },
        { models: all, recovery, side: 1, checks: { a: { profile: cost, address: cost, ...more } } },
        { profile, enabled: new Set(all), size: 'smoke' },
      );
    expect(smokeOf({ smoke })).toMatchObject({ exchanges: 6, reads: 1, ms: 20 });
    expect(askedIn(smokeOf({ smoke }))).toEqual({ 'alpha-5-2': 5, 'delta-3': 1 });
    expect(smokeOf({})).toMatchObject({ exchanges: 9, reads: 2 });
  });

  it('shrinks for a full profile in the smoke size by the ratio measured without one', () => {
    const cost = { exchanges: 24, reads: 4, ms: 50, models: { 'alpha-5-2': [20] } };
    const address = { exchanges: 20, reads: 0, ms: 50, models: { 'alpha-5-2': [20] } };
    const smoke = { exchanges: 6, reads: 1, ms: 20, models: { 'alpha-5-2': [5] } };
    const there = expectedCost(
      { id: 'a', kind: 'example' },
      { models: all, recovery, side: 1, checks: { a: { profile: cost, address, smoke } } },
      {
        profile: profileWith({ upstream: { control: 'http://127.0.0.1:2' } }),
        enabled: new Set(all),
        size: 'smoke',
      },
    );
    expect(there).toMatchObject({ exchanges: 6, reads: 1 });
    expect(askedIn(there)).toEqual({ 'alpha-5-2': 5 });
  });

  it('uses the measurement with as many facts, or with all facts once the lacking ones are declared', () => {
    const lacking = { exchanges: 1, reads: 0, ms: 1, models: {}, lacks: ['media.voices'] as const };
    const costs = { models: all, recovery, side: 1, checks: { a: { profile: drawn, address: lacking } } };
    const exchangesWith = (more: Partial<ProfileInput>): number | undefined => {
      const where = { profile: profileWith(more), enabled: new Set(all), size: 'quick' } as const;
      return expectedCost({ id: 'a', kind: 'example' }, costs, where)?.exchanges;
    };
    expect(exchangesWith({})).toBe(1);
    expect(exchangesWith({ media: { voice_ids: ['v'] } })).toBe(7);
    expect(exchangesWith({ upstream: { control: 'http://127.0.0.1:2' } })).toBe(7);
  });

  it('is unknown when it was never measured', () => {
    const where = { profile: profileWith(), enabled: new Set(all), size: 'quick' } as const;
    expect(
      expectedCost({ id: 'x', kind: 'example' }, { models: all, recovery, side: 1, checks: {} }, where),
    ).toBeNull();
  });
});
