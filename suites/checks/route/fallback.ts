import { defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { must } from '../../rules/violation.ts';
import { isServed, mustServe } from '../../steps/failures/outage-state.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';
import { jsonOf } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';

export const fallbackTellsItsModel = defineCheck({
  id: 'route.fallback.declared',
  title: "a declared fallback serves only once the model's own channels fail, and is named as model",
  requirements: ['ROUTE-003', 'RESP-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback'],
  run: async ({ cases, tenants, target, judge }) => {
    for (const budget of breakerBudgetsOf(tenants, routesOf(target, 'fallback'))) {
      const { model, fallback } = budget;
      if (fallback === null) continue;
      const failing = Object.fromEntries(budget.channels.map(({ name }) => [name, [serverFault]]));
      for (const stream of [false, true]) {
        cases.count();
        const healthy = await routedCall(budget, {}, { label: `${model}, healthy`, stream });
        judgeOwn(budget, healthy);
        judgeWhole(judge, healthy, model, stream);
        const call = await routedCall(budget, failing, {
          label: `${model}, whose channels fail${stream ? ', stream' : ''}`,
          stream,
        });
        judgeFallback(budget, call);
        judgeWhole(judge, call, fallback, stream);
      }
    }
  },
});

export const otherChannelKeepsTheModel = defineCheck({
  id: 'route.fallback.same-model',
  title: 'switching to another channel of the same model leaves the model in the answer unchanged',
  requirements: ['ROUTE-003'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.trio'],
  run: async ({ cases, tenants, target, judge }) => {
    const [budget] = breakerBudgetsOf(tenants, routesOf(target, 'trio'));
    if (budget === undefined) return;
    for (const { name } of budget.channels) {
      const healthyOnly = Object.fromEntries(
        budget.channels.flatMap((other) => (other.name === name ? [] : [[other.name, [serverFault]]])),
      );
      for (const stream of [false, true]) {
        cases.count();
        const call = await routedCall(budget, healthyOnly, { label: `only ${name} is healthy`, stream });
        // The first channel is random, so two attempts may both miss the healthy one.
        if (isServed(call)) {
          judgeOwn(budget, call);
          judgeWhole(judge, call, budget.model, stream);
        }
      }
    }
  },
});

/** Judges that a healthy model answers under its own name, from its own channels. */
function judgeOwn({ model, channels }: BreakerBudget, call: RoutedCall): void {
  const rule = { requirement: 'ROUTE-003', exchange: call.exchange };
  const [named = model] = modelsIn(call);
  const expected = `model ${model}: its channels are healthy`;
  must(named === model, { ...rule, aspect: 'only-after-failure', expected, actual: `model ${named}` });
  const elsewhere = call.channels.filter((name) => channels.every((own) => own.name !== name));
  must(elsewhere.length === 0, {
    ...rule,
    aspect: 'own-channels',
    expected: `requests at the channels of ${model} alone`,
    actual: `requests at ${elsewhere.join(', ')}`,
  });
}

/** Judges that the fallback served from its own channel, under its own name. */
export function judgeFallback({ model, fallback, channels }: BreakerBudget, call: RoutedCall): void {
  const { exchange } = call;
  const expected = `an answer by ${fallback}, the declared fallback of ${model}`;
  mustServe(call, { requirement: 'RESP-005', aspect: 'falls-back', expected });
  const last = call.channels.at(-1);
  must(last !== undefined && channels.every((own) => own.name !== last), {
    requirement: 'RESP-005',
    aspect: 'served-elsewhere',
    expected: `an upstream request at a channel of ${fallback}`,
    actual: call.channels.join(', then ') || 'none',
    exchange,
  });
  const wrong = modelsIn(call).filter((named) => named !== fallback);
  must(wrong.length === 0, {
    requirement: 'RESP-005',
    aspect: 'model-tells',
    expected: `model ${fallback}, which served`,
    actual: `model ${wrong[0]}`,
    exchange,
  });
}

export function judgeWhole(judge: Judge, { exchange }: RoutedCall, model: string, stream: boolean): void {
  const rule = { requirement: 'ROUTE-003', aspect: 'served', model };
  if (stream) judge.streamed(exchange, rule);
  else judge.completed(exchange, rule);
}

/** Every model name in the answer, chunk by chunk. */
export function modelsIn({ exchange }: RoutedCall): string[] {
  const plain = jsonOf(exchange);
  const bodies =
    plain === undefined
      ? readSse(exchange.response?.body ?? Buffer.alloc(0)).events.flatMap(({ data }) =>
          data.startsWith('{') ? [JSON.parse(data) as unknown] : [],
        )
      : [plain];
  return bodies.flatMap((body) => {
    const { model } = body as { model?: unknown };
    return typeof model === 'string' ? [model] : [];
  });
}
