import { expect, it } from 'vitest';
import { Effects, effectsIn } from './effects.ts';

it.each([
  ['3', 3],
  [' 3\n', 3],
  ['[{"id":"evt_1"},{"id":"evt_2"}]', 2],
  ['{"processed":4}', 4],
  ['{"ok":true,"orders":["a"]}', 1],
  ['{"processed":4,"uptime":99}', 4],
  ['{"uptime":99,"events":["a","b"]}', 2],
])('reads the number of effects in %j', (text, count) => {
  expect(effectsIn(text, 'http://x')).toBe(count);
});

it.each(['', 'three', 'null', '{"a":1,"b":2}', '{"count":"3"}', '<html>'])(
  'finds no number in %j',
  (text) => {
    expect(() => effectsIn(text, 'http://x')).toThrow('--effects http://x answers neither a number nor JSON');
  },
);

/** Effects that become visible this long after their events. */
function late(afterMs: number): { effects: Effects; happen(): void; now(): number } {
  let nowMs = 0;
  const seenAt: number[] = [];
  const clock = {
    now: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms;
    },
  };
  const effects = new Effects(async () => seenAt.filter((at) => at <= nowMs).length, clock);
  return { effects, happen: () => void seenAt.push(nowMs + afterMs), now: clock.now };
}

it('does not wait when effects are visible with the answer', async () => {
  const { effects, happen, now } = late(0);
  await effects.begin();
  happen();
  expect(await effects.since(1)).toBe(1);
  expect(await effects.since(0)).toBe(0);
  expect(now()).toBe(0);
});

it('waits for late effects, and after the first late one also for unexpected ones', async () => {
  const { effects, happen } = late(400);
  await effects.begin();
  happen();
  expect(await effects.since(1)).toBe(1);
  happen();
  expect(await effects.since(0)).toBe(1);
});

it('gives up after 5 s on an effect that never becomes visible', async () => {
  const { effects, now } = late(0);
  await effects.begin();
  expect(await effects.since(1)).toBe(0);
  expect(now()).toBeGreaterThanOrEqual(5_000);
});
