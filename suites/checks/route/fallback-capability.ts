import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import { flag, part, Untestable } from '../../rules/violation.ts';
import { type BreakerBudget, breakerBudgetsOf, routesOf } from '../../steps/failures/routed-call.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { failedCall } from './failed-call.ts';
import { judgeFallback } from './fallback.ts';

/** What may be said of a model whose channels fail: never that the request was wrong, since it was right for it. */
const failures = ['upstream_error', 'upstream_timeout', 'channel_outage', 'channel_queue_full'] as const;

export const fallbackCanDoIt = defineCheck({
  id: 'route.fallback.capability',
  title: 'a request with a picture never goes to a fallback without Vision, nor is refused for it',
  requirements: ['ROUTE-003', 'CAT-015'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback'],
  run: async (parts) => {
    const blind = breakerBudgetsOf([parts.tenants[0]], routesOf(parts.target, 'fallback')).filter(
      ({ lacksVision }) => lacksVision,
    );
    if (blind.length === 0) throw new Untestable('upstream.routes with fallback_lacks_vision');
    for (const budget of blind)
      for (const stream of [false, true]) await part(() => judgeRoute(parts, budget, stream));
  },
});

async function judgeRoute(parts: CheckParts, budget: BreakerBudget, stream: boolean): Promise<void> {
  const { channels: own, model, fallback } = budget;
  const twin = await failedCall(parts, budget, { stream });
  judgeFallback(budget, twin);
  const { exchange, channels } = await failedCall(parts, budget, { stream, picture: pixelDataUri });
  const elsewhere = channels.filter((channel) => own.every(({ name }) => name !== channel));
  flag(elsewhere.length === 0, {
    ...{ requirement: 'CAT-015', aspect: 'fallback-has-vision', exchange, twin: twin.exchange },
    expected: `a picture for ${model} never reaches ${fallback}, which has no Vision`,
    actual: `HTTP ${exchange.response?.status} after requests at ${channels.join(', then ')}`,
  });
  if (isSuccess(exchange)) return;
  const rule = { requirement: 'ROUTE-003', aspect: 'blames-no-caller' };
  parts.judge.refused(exchange, { ...rule, codes: failures, twin: twin.exchange });
}
