import { defineCheck } from '../../engine/check.ts';
import { allRefusedByCap, callsFrom, holdWays } from '../../steps/ways/held-ways.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';

/** The share of the upstream's time to its first byte for which the calls are held, in percent. */
const heldPercent = 85;

/** The time to a first byte where none is declared, ms. */
const usualTimeoutMs = 30_000;

export const capLasts = defineCheck({
  id: 'lim.cap.lasting',
  title: 'calls keep their slots for as long as they last, nearly to the time-out of their upstream',
  requirements: ['LIM-001', 'LIM-003'],
  kind: 'concurrency',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    const { target, clock } = parts;
    const ways = (await waysOf(parts)).filter(({ lasts }) => lasts);
    const rule = { requirement: 'LIM-001', aspect: 'lasts-as-the-call' };
    const limitMs = target.profile.upstream?.first_byte_timeout_ms ?? usualTimeoutMs;
    const held = await holdWays(parts, callsFrom(ways, 0, target.profile.cap.value), rule);
    await clock.elapse(Math.round((limitMs * heldPercent) / 100));
    await allRefusedByCap(
      parts,
      ways.filter(({ stream }) => !stream).map((way) => ({ way })),
      rule,
    );
    await held.finish();
  },
});
