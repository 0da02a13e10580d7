import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { callsServedAgain } from '../failures/served-again.ts';
import { type Rule, type WayIn, wayLabel } from './way-in.ts';

/** Judges that good calls on these ways are served again after upstream failures, once no channel rests any more. */
export async function waysServeAgain(
  parts: CheckParts,
  ways: readonly WayIn[],
  rule: Rule,
  times = 1,
): Promise<void> {
  const calls = ways.map((way) => ({
    ask: () => {
      const body = way.body(parts.newScene());
      return () => way.send(parts, body, { label: `a good call on ${way.model}, ${wayLabel(way)}` });
    },
    judge: (exchange: Exchange) => way.judgeServed(parts, exchange, rule),
  }));
  await callsServedAgain(parts, calls, times);
}
