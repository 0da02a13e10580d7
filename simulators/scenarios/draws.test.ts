import { expect, it } from 'vitest';
import { type DrawSeed, Draws, routeOf } from './draws.ts';

const of: DrawSeed = { seed: 1, scenario: 'b1', tenant: 'a', route: 'alpha /v1/messages', nth: 3 };

it('draws the same for the same five parts, and otherwise as soon as one of them differs', () => {
  const drawn = new Draws(of).unit('share');
  expect(new Draws({ ...of }).unit('share')).toBe(drawn);
  const others: Partial<DrawSeed>[] = [
    { seed: 2 },
    { scenario: null },
    { tenant: 'b' },
    { route: 'beta /v1/messages' },
    { nth: 4 },
  ];
  const values = others.map((other) => new Draws({ ...of, ...other }).unit('share'));
  expect(new Set([drawn, ...values]).size).toBe(6);
});

it('draws independently for each purpose', () => {
  const draws = new Draws(of);
  const share = draws.unit('share');
  expect(draws.unit('other')).not.toBe(share);
  expect(draws.unit('share')).toBe(share);
  expect(draws.drawn).toEqual({ share, other: draws.unit('other') });
});

it('shows each number that a fault draws, without changing the draws', () => {
  const draws = new Draws(of);
  const [shown, silent] = [draws.shown('fault'), draws.random('fault')];
  const taken = [shown.below(100), shown.between(5, 9), shown.pick([7, 8, 9])];
  expect(taken).toEqual([silent.below(100), silent.between(5, 9), silent.pick([7, 8, 9])]);
  expect(draws.drawn).toEqual({
    'fault-0': taken[0],
    'fault-1': (taken[1] ?? 0) - 5,
    'fault-2': (taken[2] ?? 0) - 7,
  });
});

it('leaves the model out of the route, so that all dialects count alike', () => {
  expect(routeOf('alpha', '/v1/chat/completions')).toBe('alpha /v1/chat/completions');
  expect(routeOf('g', '/v1beta/models/g3f-2026-09:generateContent')).toBe(
    'g /v1beta/models/*:generateContent',
  );
});
