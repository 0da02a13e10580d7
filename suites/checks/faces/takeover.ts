import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { advise, must, Untestable } from '../../rules/violation.ts';
import { nameless } from '../../steps/chat/upstream-view.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, formsOn, streamsOn } from '../../steps/protocols/protocol-model.ts';
import { mayServe, readSaid, servesRoute } from '../../steps/protocols/said.ts';

const good = 'The other one answers.';

/** Codes of a call that the gateway did not try on another channel. */
const failureCodes: readonly ErrorCode[] = [
  'upstream_error',
  'channel_queue_full',
  'channel_outage',
  'upstream_timeout',
];

export const takeoverOnCompat = defineCheck({
  id: 'faces.retry.takeover',
  title: 'on compat paths another channel takes over a failed call with the same request',
  requirements: ['ROUTE-002', 'ROUTE-006'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async (parts) => {
    const pairs = breakerBudgetsOf(parts.tenants, routesOf(parts.target, 'pair'));
    const judged: string[] = [];
    for (const { protocol, models } of compatOf(parts)) {
      const budget = pairs.find(
        ({ model, channels }) =>
          mayServe(protocol, model) && channels.every(({ dialect }) => dialect === protocol.dialect),
      );
      if (budget === undefined) continue;
      const { model } = budget;
      const protocolModel = { protocol, model };
      if (!(await servesRoute(parts, protocolModel))) continue;
      const forms = (await streamsOn(parts, { protocol, model: models[0] }))
        ? await formsOn(parts, protocolModel)
        : [false];
      for (const stream of forms) await judgeTakeover(parts, budget, protocol, stream);
      judged.push(protocol.name);
    }
    if (judged.length === 0)
      throw new Untestable('upstream.routes with a pair whose model a compat path serves');
  },
});

/** The upstream request with its members in order, without the model name. */
const asText = ({ text }: UpstreamRequest): string => JSON.stringify(nameless(text));

async function judgeTakeover(
  { cases, newScene, http, judge }: CheckParts,
  { model }: BreakerBudget,
  protocol: Protocol,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script(serverFault, { text: good });
  const label = `${protocol.name}, ${model}, whose first channel fails${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, protocol.body(scene, { model }), { label, stream });
  const requests = await scene.requestsNow();
  const asked = requests.map(({ entry }) => entry.channel);
  // When a call goes elsewhere, and how often it is tried before, is open (reading B-106).
  advise(asked.length === 2 && asked[0] !== asked[1], {
    requirement: 'ROUTE-002',
    aspect: 'takes-over-on-compat',
    expected: `the other channel of ${model} called after the first one failed (reading B-106)`,
    actual: asked.join(', then ') || 'no channel asked',
    exchange,
  });
  if (asked.length < 2) {
    judge.refused(exchange, { requirement: 'ROUTE-002', aspect: 'clean-refusal', codes: failureCodes });
    return;
  }
  const expected = { requirement: 'ROUTE-002', aspect: 'takeover-answers', model, stream };
  const said = readSaid(judge, protocol, exchange, expected);
  const actual = JSON.stringify(said.text);
  must(said.text === good, { ...expected, expected: JSON.stringify(good), actual, exchange });
  const [first] = requests.map(asText);
  const other = requests.find((request) => asText(request) !== first);
  must(other === undefined, {
    requirement: 'ROUTE-002',
    aspect: 'same-request-on-compat',
    expected: `the same request at each attempt: ${requests[0]?.text.slice(0, 400)}`,
    actual: other?.text.slice(0, 400) ?? 'none',
    exchange,
  });
}
