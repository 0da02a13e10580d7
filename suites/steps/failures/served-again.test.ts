import { expect, it } from 'vitest';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { answeredByCode } from '../../testing/sample-exchange.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { callsServedAgain } from './served-again.ts';

/** Makes good calls on a channel that refuses the first `refusals` calls. */
async function askedOf(refusals: number, times: number): Promise<{ asked: string[]; refused: number }> {
  const asked: string[] = [];
  let made = 0;
  let refused = 0;
  const call = {
    ask: () => {
      made += 1;
      const text = `request ${made}`;
      return async () => {
        asked.push(text);
        return asked.length > refusals ? answeredByCode(200) : answeredByCode(429, 'channel_queue_full');
      };
    },
    judge: (exchange: Exchange) => {
      if (exchange.response?.status !== 200) refused += 1;
    },
  };
  const parts = { clock: { elapse: async () => {} }, target: { profile: { hooks: {} } } };
  await callsServedAgain(parts as unknown as CheckParts, [call], times);
  return { asked, refused };
}

it('repeats the same request while the channel cools down, so that requests depend on the seed alone', async () => {
  const rested = await askedOf(2, 3);
  expect(rested.asked).toEqual(['request 1', 'request 1', 'request 1', 'request 2', 'request 3']);
  expect(new Set(rested.asked)).toEqual(new Set((await askedOf(0, 3)).asked));
  expect(rested.refused).toBe(0);
});

it('fails a channel that cools down for longer than permitted', async () => {
  expect((await askedOf(9, 1)).refused).toBe(1);
});
