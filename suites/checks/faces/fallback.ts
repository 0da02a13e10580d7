import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  channelsOf,
  routesOf,
  scriptSecond,
} from '../../steps/failures/routed-call.ts';
import { compatA, compatB, type Protocol } from '../../steps/protocols/protocol.ts';
import { formsOn } from '../../steps/protocols/protocol-model.ts';
import { mayServe, readSaid, servesRoute } from '../../steps/protocols/said.ts';

const reserve = 'The reserve answers.';

/** One check for each compat path: a declared fallback also serves this path. */
export const fallbackChecks: readonly Check[] = [
  { protocol: compatA, fact: 'compat.a' as const },
  { protocol: compatB, fact: 'compat.b' as const },
].map(({ protocol, fact }) =>
  defineCheck({
    id: `faces.fallback.${protocol.name}`,
    title: `on ${protocol.name} a declared fallback serves once the model's own channels fail, and is named`,
    requirements: ['RESP-005', 'ROUTE-003'],
    kind: 'upstream',
    needs: ['upstream.control', 'upstream.routes.fallback', fact],
    run: async (parts) => {
      const routes = routesOf(parts.target, 'fallback').filter(
        ({ model, fallback = '' }) => mayServe(protocol, model) && mayServe(protocol, fallback),
      );
      const [budget] = breakerBudgetsOf(parts.tenants, routes);
      if (budget === undefined || !(await servesRoute(parts, { protocol, model: budget.model })))
        throw new Untestable(`upstream.routes of kind fallback with models that ${protocol.name} serves`);
      for (const stream of await formsOn(parts, { protocol, model: budget.model }))
        await part(() => judgeFallback(parts, budget, protocol, stream));
    },
  }),
);

async function judgeFallback(
  { cases, newScene, http, judge }: CheckParts,
  { model, fallback, channels }: BreakerBudget,
  protocol: Protocol,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const own = channels.map(({ name }) => name);
  await scriptSecond(scene, own, { text: reserve });
  const label = `${protocol.name}, ${model}, whose channels fail${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream });
  const rule = { requirement: 'RESP-005', aspect: 'falls-back-on-compat' };
  const said = readSaid(judge, protocol, exchange, { ...rule, model: fallback ?? model, stream });
  const asked = await channelsOf(scene);
  const last = asked.at(-1);
  must(said.text === reserve && channels.every(({ name }) => name !== last), {
    ...{ ...rule, exchange },
    expected: `the answer of ${fallback}, the declared fallback of ${model}, by a channel of its own`,
    actual: `${JSON.stringify(said.text)} after requests at ${asked.join(', then ')}`,
  });
}
