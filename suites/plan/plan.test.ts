import { describe, expect, it } from 'vitest';
import type { Check } from '../engine/check.ts';
import type { Budget } from '../profile/money.ts';
import { pricing } from '../profile/money.ts';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { type Course, cheapestFirst, inOrderOfCost } from './cheapest-first.ts';
import type { CheckCost, CheckCosts } from './check-costs.ts';
import { type Plan, type PlanFacts, planOf } from './plan.ts';
import { planInLine, planInLines } from './plan-text.ts';

const check = (id: string, more: Partial<Check> = {}): Check =>
  ({ id, kind: 'example', needs: [], requirements: ['R-1'], ...more }) as unknown as Check;
const cost = (exchanges: number, ms: number, models: CheckCost['models'] = {}): CheckCost => ({
  ...{ exchanges, ms, models },
  reads: 0,
});

const costs: CheckCosts = {
  models: ['delta-3', 'kontext-pro', 'song-v5'],
  recovery: { exchanges: 10, paid: 5, besideExchanges: 100 },
  side: 2,
  checks: {
    song: { profile: null, address: cost(4, 4_000, { 'song-v5': [3, 3, 0, 0, 0, 0, 0, 0, 180] }) },
    picture: { profile: null, address: cost(2, 300, { 'kontext-pro': [2, 1, 0, 0, 0, 0, 0, 1] }) },
    chat: {
      profile: cost(100, 400, { 'delta-3': [4, 2, 2_000, 100] }),
      address: cost(5, 200, { 'delta-3': [4, 2, 2_000, 100] }),
    },
    refusal: { profile: null, address: cost(1, 100, { 'delta-3': [1] }) },
    jump: { profile: null, address: cost(1, 900) },
  },
};
const jump = check('jump', { clock: 'jump' });
const checks = [check('song'), jump, check('picture'), check('chat'), check('refusal')];

function planWith(
  profile: Partial<ProfileInput> = {},
  more: Partial<PlanFacts> = {},
  of = checks,
  by = costs,
): Plan {
  return planOf(of, by, {
    profile: profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' }, ...profile }),
    ...{ models: ['delta-3'], mediaModels: ['kontext-pro', 'song-v5'], size: 'quick' as const, sent: 2 },
    pricing: pricing.parse({
      models: {
        'delta-3': { input: '1', output: '10' },
        'song-v5': { per_task: '0.300000000001' },
      },
    }),
    ...{ concurrency: 2, latencyMs: 1, answerMs: null },
    ...more,
  });
}

describe('a plan', () => {
  it('takes as long as a declared limit of calls demands, and counts no check that sends nothing', () => {
    const watches = check('every.x', { kind: 'passive' });
    const plan = planWith({ http: { calls_per_minute: 5 } }, {}, [...checks, watches]);
    expect(plan.exchanges).toBe(15);
    expect(plan.ms).toBe(3 * 60_000);
    expect(plan.unknown).toEqual([]);
  });

  it('counts no check whose endpoints are all absent, or whose dialect no model speaks', () => {
    const ways = check('refusal', { oneOf: ['compat.a', 'images'] });
    const spoken = check('chat', { dialects: ['messages', 'generate-content'] });
    const judged = (absent: string[], models: string[]): number =>
      planWith({ absent } as never, { models }, [ways, spoken]).checks;
    expect(judged([], ['delta-3', 'beta-small-4-5'])).toBe(2);
    expect(judged(['images'], ['delta-3'])).toBe(1);
    expect(judged(['images', 'compat.a'], ['delta-3'])).toBe(0);
  });

  it('adds up what the checks send and pay, exact to the last digit', () => {
    expect(planWith()).toMatchObject({
      checks: 5,
      untestable: 0,
      unknown: [],
      exchanges: 15,
      paid: { chat: 2, image: 1, video: 0, audio: 3 },
      tokens: 2_100,
      usd: '0.903000000003',
      unpriced: ['kontext-pro'],
    });
  });

  it('leaves out checks that lack a fact, and names checks that were never measured', () => {
    const others = [check('chat', { needs: ['keys.K2'] }), check('new')];
    expect(planWith({}, {}, others)).toMatchObject({
      checks: 1,
      untestable: 1,
      unknown: ['new'],
      exchanges: 2,
    });
  });

  it('adds up fractions of calls in a smoke run before rounding', () => {
    const ids = Array.from({ length: 20 }, (_, place) => `c${place}`);
    const one = { profile: null, address: cost(5, 100, { 'delta-3': [1, 1, 100, 10] }) };
    const unmeasured = { ...costs, checks: Object.fromEntries(ids.map((id) => [id, one])) };
    const all = ids.map((id) => check(id));
    // Each call counts 0.35.
    expect(planWith({}, { size: 'smoke' }, all, unmeasured)).toMatchObject({
      paid: { chat: 7 },
      tokens: 770,
    });
  });

  it('uses the measurement of a full profile for simulated upstreams, with recovery calls', () => {
    const plan = planWith({ upstream: { control: 'http://127.0.0.1:2' } }, {}, [check('chat')]);
    expect(plan).toMatchObject({ exchanges: 112, paid: { chat: 7 } });
  });

  it('estimates time from concurrency, latency, and longer answers', () => {
    expect(planWith().ms).toBe((4_000 + 300 + 200 + 100) / 2 + 900 / 2);
    // A check that needs the clock alone has none beside it.
    expect(planWith({}, {}, [check('jump', { clock: 'alone' })]).ms).toBe(900);
    const slow = planWith({}, { latencyMs: 110 }, [check('refusal')]);
    expect(slow.ms).toBe((100 + 100 / 2) / 2);
    const paid = planWith({}, { latencyMs: 110, answerMs: 1_010 }, [check('chat')]);
    expect(paid.ms).toBe((200 + (3 * 100 + 2 * 1_000) / 2) / 2);
    expect(planWith().longest.slice(0, 2)).toEqual([
      ['song', 4_000],
      ['jump', 900],
    ]);
  });

  it('fits in a line, and names models without a price', () => {
    expect(planInLine(planWith())).toBe(
      'Plan: 5 checks of 5, about 15 exchanges, 2 chat calls, 1 image call, 3 audio tasks, 2,100 tokens, $0.90 without kontext-pro (no price known), 3 s or more',
    );
    expect(planInLine(planWith({}, { pricing: pricing.parse({}) }))).not.toContain('$');
    expect(
      planInLines(planWith({}, { pricing: pricing.parse({}) }), {
        size: 'quick',
        reached: [],
        answerMs: 60_000,
      }),
    ).toContain('pricing.models in the profile, or --prices FILE');
  });
});

describe('the order of a run', () => {
  const idsOf = (some: readonly Check[]): string[] => some.map(({ id }) => id);
  const bare = profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' } });
  const courseOf = (budget: Budget): Course => ({ budget, profile: bare, size: 'quick', latencyMs: 0 });

  it('is refusals, chats, images, tasks, and checks that move the clock last', () => {
    expect(idsOf(checks.toSorted(cheapestFirst(costs)))).toEqual([
      'refusal',
      'chat',
      'picture',
      'song',
      'jump',
    ]);
  });

  it('begins with the checks that judge most rules when time may run out, but not when money may', () => {
    const wide = check('song', { requirements: ['R-1', 'R-2'] });
    const some = [check('chat'), wide];
    expect(idsOf(inOrderOfCost(some, costs, courseOf({ exchanges: 9 })))).toEqual(['song', 'chat']);
    // Four seconds are too long for one more rule.
    expect(idsOf(inOrderOfCost(some, costs, courseOf({ minutes: 1 })))).toEqual(['chat', 'song']);
    expect(idsOf(inOrderOfCost(some, costs, courseOf({ minutes: 1, usd: '1' })))).toEqual(['chat', 'song']);
    // However many rules it covers, it will judge none.
    const unable = check('song', { requirements: ['R-1', 'R-2', 'R-3'], needs: ['upstream.control'] });
    expect(idsOf(inOrderOfCost([unable, check('chat')], costs, courseOf({ exchanges: 9 })))).toEqual([
      'chat',
      'song',
    ]);
    // Neither will a check that was stopped by a missing fact when measured.
    const cost = { exchanges: 1, reads: 0, ms: 1, models: {} };
    const stuck = { profile: cost, address: { ...cost, lacks: ['media.voices'] as const } };
    const known = { ...costs, checks: { ...costs.checks, stuck } };
    const both = [check('stuck', { requirements: ['R-1', 'R-2', 'R-3'] }), check('chat')];
    expect(idsOf(inOrderOfCost(both, known, courseOf({ exchanges: 9 })))).toEqual(['chat', 'stuck']);
  });

  it('ends with checks that break upstreams, unless the breaker is declared', () => {
    const needs = ['upstream.control'] as const;
    const some = [
      check('refusal', { requirements: ['ROUTE-002'], needs }),
      check('chat'),
      check('jump', { clock: 'jump' }),
    ];
    const orderWith = (absent: string[]): string[] => {
      const profile = { ...bare, upstream: { routes: [], media_routes: [] } as never, absent };
      return idsOf(inOrderOfCost(some, costs, { budget: {}, profile, size: 'quick', latencyMs: 0 }));
    };
    expect(orderWith([])).toEqual(['chat', 'refusal', 'jump']);
    expect(orderWith(['upstream.breaker'])).toEqual(['refusal', 'chat', 'jump']);
  });
});
