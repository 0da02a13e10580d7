import { asksAtMost, retryHintOf } from '../../../oracle/retry-hint.ts';
import { must } from '../../../rules/violation.ts';
import { servedAgain } from '../../../steps/failures/served-again.ts';
import { anyPair, begin, type Call, call, callUnasked, marginMs, type Outage, pauseOf } from './outage.ts';

/** The upstreams' Retry-After, s. */
const askedS = 20;
/** The longer delay in the error bodies of one dialect, rounded up, s. */
const bodyS = 39;

const whileAsked = { requirement: 'ROUTE-010', aspect: 'fault-no-call' };

export const correlated429: Outage = {
  id: 'B7',
  requirements: ['ROUTE-010', 'ROUTE-017', 'ROUTE-004', 'ERR-022'],
  needs: ['upstream.control', 'upstream.routes.pair', 'time'],
  judge: async (parts, facts) => {
    const { clock, target, newScene } = parts;
    const { model, channels } = anyPair(target);
    const maxS = channels.some(({ dialect }) => dialect === 'generate-content') ? bodyS : askedS;
    await begin(newScene, facts);
    const calls: Call[] = [];
    let scripted: readonly string[] = [];
    while (scripted.length < channels.length) {
      const one = await call(parts, facts, model);
      calls.push(one);
      judgeBusy(one, maxS, clock.now());
      const expected = 'a request at every channel before all count as busy';
      const actual = `${scripted.length} of ${channels.length} channels were asked`;
      must(one.asked.length > 0, { ...whileAsked, expected, actual, exchange: one.exchange });
      scripted = [...new Set([...scripted, ...one.asked])];
    }
    const pause = pauseOf(parts, calls);
    const pauseMs = askedS * 1_000;
    for (const [ms, when] of [
      [0, 'right after all have asked for a pause'],
      [pauseMs / 2, 'in the middle of it'],
      [pauseMs - 2 * marginMs, 'just before its end'],
    ] as const) {
      if (ms > 0) await clock.elapseTo(pause.earliestMs + ms);
      const one = await callUnasked(parts, facts, { model, pause, ms: pauseMs }, whileAsked, when);
      judgeBusy(one, maxS, clock.now());
    }
    await clock.elapseTo(pause.latestMs + maxS * 1_000 + marginMs);
    await servedAgain(parts, [model], { requirement: 'ROUTE-010', aspect: 'recovers' }, 2);
  },
};

/** Busy or out (reading B-105), with a hint no longer than the upstreams' own (reading B-110). */
function judgeBusy({ code, exchange }: Call, maxS: number, nowMs: number): void {
  must(code === 'channel_queue_full' || code === 'channel_outage', {
    requirement: 'ERR-022',
    aspect: 'fault-code',
    expected: 'channel_queue_full: the channels are healthy, but busy',
    actual: String(code ?? 'a good answer'),
    exchange,
  });
  if (code === 'channel_outage') return;
  const hint = retryHintOf(exchange, nowMs);
  must(hint === null || asksAtMost(hint, maxS), {
    requirement: 'ROUTE-017',
    aspect: 'fault-retry-after',
    expected: `no Retry-After, or 1 to ${maxS} whole seconds`,
    actual: hint?.text ?? 'none',
    exchange,
  });
}
