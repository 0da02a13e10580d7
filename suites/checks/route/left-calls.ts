import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part } from '../../rules/violation.ts';
import { heldStream, leaveStream } from '../../steps/chat/leave-stream.ts';
import { coolDownsOf } from '../../steps/failures/outage-state.ts';
import { at, breakerBudgetsOf, routedCall, routesOf } from '../../steps/failures/routed-call.ts';
import { type ChatWay, wayLabel } from '../../steps/ways/way-in.ts';
import { chatWaysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The number of extra abandoned calls, on top of any declared breaker's threshold. */
const moreThanBreakers = 3;
const usualFailures = 5;

/** A caller that disconnects says nothing about the upstream, which was serving it (reading B-108). */
export const leavingIsNoFailure = defineCheck({
  id: 'route.left.channel-stays',
  title: 'callers that disconnect, waiting or in mid-stream, do not open the breaker',
  requirements: ['ROUTE-009'],
  kind: 'upstream',
  anyProtocol: true,
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const way of await chatWaysOf(parts)) await part(() => judgeLeft(parts, way));
  },
});

async function judgeLeft(parts: CheckParts, way: ChatWay): Promise<void> {
  const { target, cases, newScene } = parts;
  const failures = target.profile.upstream?.breaker?.consecutive_failures ?? usualFailures;
  const rule = {
    requirement: 'ROUTE-009',
    aspect: way.stream ? 'left-streams-are-no-failure' : 'left-calls-are-no-failure',
  };
  for (let call = 1; call <= failures + moreThanBreakers; call += 1) {
    cases.count();
    const label = `${wayLabel(way)}, ${way.model}: left, ${call} in a row`;
    const { exchange, arrived } = await leave(parts, way, label);
    must(arrived, {
      ...rule,
      expected: `the ${call}th call at the upstream, which served all before it`,
      actual: 'no upstream request',
      exchange,
    });
  }
  const label = `${wayLabel(way)}, ${way.model}, after callers that left`;
  const scene = newScene();
  way.judgeServed(parts, await way.send(parts, way.body(scene), { label }), rule);
}

/** Makes a call and disconnects: from a stream after its first word, from a plain call while the upstream hangs. */
async function leave(
  parts: CheckParts,
  way: ChatWay,
  label: string,
): Promise<{ exchange: Exchange; arrived: boolean }> {
  const scene = parts.newScene();
  await scene.script(way.stream ? heldStream : { hang: 'head' });
  const live = way.open(parts, way.body(scene), { label });
  if (way.stream) {
    const exchange = await leaveStream(scene, live);
    return { exchange, arrived: (await scene.requestsNow()).length > 0 };
  }
  const arrived = await scene.held(1);
  live.abort();
  const exchange = await live.done;
  await scene.release();
  return { exchange, arrived };
}

/** Calls to learn from, calls to judge, and how many of these may still probe the bad channel. */
const learning = 12;
const judged = 20;
const probesAllowed = 1;

const breaks: Reply = { deltas: ['One, ', 'two, ', 'three.'], cut: { after: 2, by: 'fin' } };

export const breakingComesLast = defineCheck({
  id: 'route.healthiest.after-broken-streams',
  title: 'a channel whose streams break midway counts as failing: calls move to the healthy one',
  requirements: ['ROUTE-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async ({ cases, rng, clock, target, http, tenants }) => {
    const budgets = breakerBudgetsOf(tenants, routesOf(target, 'pair'));
    for (const budget of cases.full ? budgets : [rng.pick(budgets)]) {
      const { name: bad } = at(budget.channels, 0);
      const firsts: string[] = [];
      const began = clock.now();
      for (let call = 0; call < learning + judged; call += 1) {
        cases.count();
        const label = `${bad} breaks its streams`;
        const { channels } = await routedCall(budget, { [bad]: [breaks] }, { label, stream: true });
        firsts.push(channels[0] ?? 'none');
      }
      const max = probesAllowed + Math.floor((2 * (clock.now() - began)) / coolDownsOf(target)[0]);
      const wrong = firsts.slice(learning).filter((channel) => channel === bad || channel === 'none').length;
      must(wrong <= max, {
        requirement: 'ROUTE-001',
        aspect: 'broken-streams-last',
        expected: `at most ${max} of ${judged} streams of ${budget.model} first at ${bad}, all of whose streams break`,
        actual: `${wrong}`,
        exchange: http.sent.at(-1),
      });
    }
  },
});
