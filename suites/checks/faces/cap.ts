import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { compatA, compatB, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { formsOn, protocolModelOf } from '../../steps/protocols/protocol-model.ts';
import {
  allRefusedByCap,
  callsFrom,
  holdWays,
  judgeKeptBack,
  type Refused,
} from '../../steps/ways/held-ways.ts';
import { chatWay, type Rule, type WayIn } from '../../steps/ways/way-in.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';

const together: Rule = { requirement: 'LIM-003', aspect: 'counts-together' };

export const capCountsAllProtocols = defineCheck({
  id: 'faces.cap.mixed',
  title: 'calls on all endpoints share one concurrency cap, and one that ends makes room for any other',
  requirements: ['LIM-003', 'LIM-001', 'ERR-020'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, target } = parts;
    const ways = mixed(await waysOf(parts));
    const lasting = ways.filter(({ lasts }) => lasts);
    const cap = target.profile.cap.value;
    const refused: Refused[] = [];
    const refuse = async (some: readonly WayIn[]): Promise<void> => {
      const calls = some.map((way) => ({ way }));
      refused.push(...(await allRefusedByCap(parts, calls, together)));
    };
    // Each endpoint starts one mix, so each takes every position and ends first once.
    for (const place of lasting.keys()) {
      cases.count();
      const held = await holdWays(parts, callsFrom(lasting, place, cap), {
        ...together,
        aspect: 'room-for-the-cap',
      });
      await refuse(ways.filter(({ stream }) => !stream));
      await held.finishOne();
      const next = callsFrom(lasting, place + cap, 1);
      const other = await holdWays(parts, next, { requirement: 'LIM-003', aspect: 'room-again' });
      await refuse(ways);
      await other.finish();
      await held.finish();
    }
    await judgeKeptBack(refused, 'LIM-003');
    // A submission above the cap is refused; one below it is served, and shows that its model works.
    for (const way of ways.filter(({ lasts }) => !lasts)) {
      const exchange = await way.open(parts, way.body(parts.newScene()), {
        label: `${way.name}, below the cap`,
      }).done;
      way.judgeServed(parts, exchange, { requirement: 'LIM-003', aspect: 'room-again' });
    }
  },
});

/** One check for each compat path: its calls count against the cap of the core path, and the reverse. */
export const capChecks: readonly Check[] = [
  { protocol: compatA, requirement: 'COMPA-015', fact: 'compat.a' as const },
  { protocol: compatB, requirement: 'COMPB-014', fact: 'compat.b' as const },
].map(({ protocol, requirement, fact }) =>
  defineCheck({
    id: `faces.cap.${protocol.name}`,
    title: `${protocol.name} calls that fill the concurrency cap block the core path, and vice versa`,
    requirements: [requirement],
    kind: 'concurrency',
    needs: ['upstream.control', fact, 'chat'],
    run: (parts) => judgeBothWays(parts, protocol, requirement),
  }),
);

async function judgeBothWays(parts: CheckParts, protocol: Protocol, requirement: string): Promise<void> {
  const { model } = protocolModelOf(parts.target, protocol);
  const both = [protocol, coreProtocol] as const;
  for (const [holding, more] of [both, [both[1], both[0]] as const]) {
    for (const stream of await formsOn(parts, { protocol: holding, model })) {
      const rule: Rule = { requirement, aspect: `${holding.name}-holds` };
      const calls = callsFrom([chatWay(holding, model, stream)], 0, parts.target.profile.cap.value);
      const held = await holdWays(parts, calls, rule);
      const other = { way: chatWay(more, model, false) };
      const same = { way: chatWay(holding, model, false) };
      const refused = await allRefusedByCap(parts, [other, same], rule);
      await judgeKeptBack(refused, 'LIM-003');
      await held.finishOne();
      const next = await holdWays(parts, [other], rule);
      await next.finish();
      await held.finish();
    }
  }
}

/** Sorts the endpoints: plain calls first, then streamed ones. */
function mixed(ways: readonly WayIn[]): readonly WayIn[] {
  return [...ways].sort((a, b) => Number(a.stream) - Number(b.stream));
}
