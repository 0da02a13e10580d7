import type { BreakerSpan } from 'gatecheck-reports/failure-timeline';
import { BreakerModel, type BreakerRules, type Outcome } from '../../oracle/breaker.ts';

/** One request of a channel on the scale of a timeline, ms. */
export interface ChannelRequest {
  readonly channel: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly outcome: Outcome;
}

/** When each channel must be left alone: from the outcome that opens its breaker until the next permitted probe. */
export function breakerSpans(requests: readonly ChannelRequest[], rules: BreakerRules): BreakerSpan[] {
  const byChannel = Map.groupBy(
    requests.toSorted((one, other) => one.toMs - other.toMs),
    ({ channel }) => channel,
  );
  return [...byChannel].flatMap(([channel, some]) => spansOf(channel, some, rules));
}

function spansOf(channel: string, requests: readonly ChannelRequest[], rules: BreakerRules): BreakerSpan[] {
  let model = new BreakerModel(rules, 0);
  const spans: BreakerSpan[] = [];
  for (const { fromMs, toMs, outcome } of requests) {
    const attempt = {
      began: { from: fromMs, to: fromMs },
      ended: { from: toMs, to: toMs },
      outcome,
    };
    // Starts again after a request that no breaker would have admitted, because the image shows the rules and does not judge.
    if (!model.attempted(attempt)) {
      model = new BreakerModel(rules, 0);
      continue;
    }
    const opens = model.duty({ from: toMs + 1, to: toMs + 1 }) === 'refuse';
    const again = rules.coolDownMs.find((ms) => model.duty({ from: toMs + ms, to: toMs + ms }) !== 'refuse');
    if (opens && again !== undefined) spans.push({ channel, from_ms: toMs, to_ms: toMs + again });
  }
  return spans;
}
