import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { compatA, compatB, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import {
  formsOn,
  type ProtocolModel,
  protocolModelOf,
  protocolModelsOf,
} from '../../steps/protocols/protocol-model.ts';
import { type HeldProtocol, holdProtocols, type Rule, refusedByCap } from './held-protocols.ts';

export const capCountsAllProtocols = defineCheck({
  id: 'faces.cap.mixed',
  title: 'calls on all paths share one concurrency cap, and one that ends makes room for any other',
  requirements: ['LIM-003', 'LIM-001', 'ERR-020'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, target } = parts;
    const facings = protocolModelsOf(parts);
    const rule = { requirement: 'LIM-003', aspect: 'counts-together' };
    const calls = (await Promise.all(facings.map((protocolModel) => callsOn(parts, protocolModel)))).flat();
    // Each call opens one mix, so every protocol stands in every place and ends first once.
    for (const [place] of calls.entries()) {
      cases.count();
      const mix = roundFrom(calls, place, target.profile.cap.value);
      const held = await holdProtocols(parts, mix, { ...rule, aspect: 'room-for-the-cap' });
      for (const more of facings) await refusedByCap(parts, { ...more, stream: false }, rule);
      await held.finishOne();
      const next = roundFrom(calls, place + target.profile.cap.value, 1);
      const other = await holdProtocols(parts, next, { requirement: 'LIM-003', aspect: 'room-again' });
      for (const more of calls) await refusedByCap(parts, more, rule);
      await other.finish();
      await held.finish();
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
    needs: ['upstream.control', fact],
    run: (parts) => judgeBothWays(parts, protocol, requirement),
  }),
);

async function judgeBothWays(parts: CheckParts, protocol: Protocol, requirement: string): Promise<void> {
  const compat = protocolModelOf(parts.target, protocol);
  const both = [compat, { protocol: coreProtocol, model: compat.model }] as const;
  for (const [holding, more] of [both, [both[1], both[0]] as const]) {
    for (const stream of await formsOn(parts, holding)) {
      const rule: Rule = { requirement, aspect: `${holding.protocol.name}-holds` };
      const calls = Array.from({ length: parts.target.profile.cap.value }, () => ({ ...holding, stream }));
      const held = await holdProtocols(parts, calls, rule);
      await refusedByCap(parts, { ...more, stream: false }, rule);
      await refusedByCap(parts, { ...holding, stream: false }, rule);
      await held.finishOne();
      const next = await holdProtocols(parts, [{ ...more, stream: false }], rule);
      await next.finish();
      await held.finish();
    }
  }
}

async function callsOn(parts: CheckParts, protocolModel: ProtocolModel): Promise<HeldProtocol[]> {
  return (await formsOn(parts, protocolModel)).map((stream) => ({ ...protocolModel, stream }));
}

/** So many calls from an index on, wrapping around; neighbours use different protocols. */
function roundFrom(calls: readonly HeldProtocol[], start: number, count: number): HeldProtocol[] {
  const mixed = [...calls].sort((a, b) => Number(a.stream) - Number(b.stream));
  return Array.from({ length: count }, (_, index) => mixed[(start + index) % mixed.length]).filter(
    (call): call is HeldProtocol => call !== undefined,
  );
}
