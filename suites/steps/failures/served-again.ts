import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

/** The longest that a gateway lets a channel rest for what its upstream asked, ms (reading B-110), and a margin. */
const longestRestMs = 300_000;
const marginMs = 1_000;

/** How often a rest may be needed before a healthy upstream is used again. */
const maxRests = 3;

/**
 * Judges that the models serve again after failures of their upstreams, `times` in a row. Where a channel rests, which is
 * a gateway's right after some of them, time is let pass, for all of them together.
 */
export async function servedAgain(
  parts: CheckParts,
  models: readonly string[],
  rule: { readonly requirement: string; readonly aspect: string },
  times = 1,
): Promise<void> {
  const { judge, clock, target } = parts;
  let left = [...new Set(models)];
  for (let rests = 0; left.length > 0; rests += 1) {
    const tried = await Promise.all(
      left.map(async (model) => ({ model, exchange: await goodCall(parts, model) })),
    );
    const resting = rests < maxRests ? tried.filter(({ exchange }) => isResting(exchange)) : [];
    for (const one of tried) {
      if (resting.includes(one)) continue;
      judge.completed(one.exchange, { ...rule, model: one.model });
    }
    left = resting.map(({ model }) => model);
    if (left.length > 0) await clock.elapse(rests === 0 ? shortRestMs(target) : restMs(target));
  }
  for (const model of models) {
    for (let time = 1; time < times; time += 1)
      judge.completed(await goodCall(parts, model), { ...rule, model });
  }
}

export function goodCall({ http, newScene }: CheckParts, model: string): Promise<Exchange> {
  return http.chat(newScene().minimal(model), { label: `a good call on ${model}` });
}

/** How long it takes until every channel that only rests is in use again, ms; longer than anybody waits without a clock. */
export function restMs(target: Target): number {
  return Math.max(breakerRestMs(target), longestRestMs) + marginMs;
}

/** Where time cannot be moved, what is declared may be enough: nobody waits for minutes before it is tried. */
function shortRestMs(target: Target): number {
  return target.profile.hooks.clock === undefined ? breakerRestMs(target) + marginMs : restMs(target);
}

function breakerRestMs(target: Target): number {
  const { cool_down_ms: coolDowns = [60_000], account_out_ms: out = 0 } =
    target.profile.upstream?.breaker ?? {};
  return Math.max(...coolDowns, out);
}

/** Whether the gateway says that no channel is in use just now. */
export function isResting(exchange: Exchange): boolean {
  const { code } = (jsonOf(exchange) as { error?: { code?: unknown } } | undefined)?.error ?? {};
  return code === 'channel_queue_full' || code === 'channel_outage';
}
