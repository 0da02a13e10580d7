import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { compatA, compatB, coreFace, type Face } from '../../steps/faces/face.ts';
import { type Facing, facingOf, facingsOf, formsOn } from '../../steps/faces/facing.ts';
import { type HeldFace, holdFaces, type Rule, refusedByCap } from './held-faces.ts';

export const capCountsAllFaces = defineCheck({
  id: 'faces.cap.mixed',
  title: 'calls on all paths share one concurrency cap, and one that ends makes room for any other',
  requirements: ['LIM-003', 'LIM-001', 'ERR-020'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, target } = parts;
    const facings = facingsOf(parts);
    const rule = { requirement: 'LIM-003', aspect: 'counts-together' };
    const calls = (await Promise.all(facings.map((facing) => callsOn(parts, facing)))).flat();
    // Each call opens a mix once: between them every face is the one that ends first, and is in every place.
    for (const [place] of calls.entries()) {
      cases.count();
      const mix = roundFrom(calls, place, target.profile.cap.value);
      const held = await holdFaces(parts, mix, { ...rule, aspect: 'room-for-the-cap' });
      for (const more of facings) await refusedByCap(parts, { ...more, stream: false }, rule);
      await held.finishOne();
      const next = roundFrom(calls, place + target.profile.cap.value, 1);
      const other = await holdFaces(parts, next, { requirement: 'LIM-003', aspect: 'room-again' });
      for (const more of calls) await refusedByCap(parts, more, rule);
      await other.finish();
      await held.finish();
    }
  },
});

/** One check for each compat path: its calls fill the cap for the core path, and the other way round. */
export const capChecks: readonly Check[] = [
  { face: compatA, requirement: 'COMPA-015', fact: 'compat.a' as const },
  { face: compatB, requirement: 'COMPB-014', fact: 'compat.b' as const },
].map(({ face, requirement, fact }) =>
  defineCheck({
    id: `faces.cap.${face.name}`,
    title: `${face.name} calls that fill the concurrency cap block the core path, and vice versa`,
    requirements: [requirement],
    kind: 'concurrency',
    needs: ['upstream.control', fact],
    run: (parts) => judgeBothWays(parts, face, requirement),
  }),
);

async function judgeBothWays(parts: CheckParts, face: Face, requirement: string): Promise<void> {
  const compat = facingOf(parts.target, face);
  const both = [compat, { face: coreFace, model: compat.model }] as const;
  for (const [holding, more] of [both, [both[1], both[0]] as const]) {
    for (const stream of await formsOn(parts, holding)) {
      const rule: Rule = { requirement, aspect: `${holding.face.name}-holds` };
      const calls = Array.from({ length: parts.target.profile.cap.value }, () => ({ ...holding, stream }));
      const held = await holdFaces(parts, calls, rule);
      await refusedByCap(parts, { ...more, stream: false }, rule);
      await refusedByCap(parts, { ...holding, stream: false }, rule);
      await held.finishOne();
      const next = await holdFaces(parts, [{ ...more, stream: false }], rule);
      await next.finish();
      await held.finish();
    }
  }
}

async function callsOn(parts: CheckParts, facing: Facing): Promise<HeldFace[]> {
  return (await formsOn(parts, facing)).map((stream) => ({ ...facing, stream }));
}

/** So many of them from one on, round and round; neighbours are of different faces. */
function roundFrom(calls: readonly HeldFace[], start: number, count: number): HeldFace[] {
  const mixed = [...calls].sort((a, b) => Number(a.stream) - Number(b.stream));
  return Array.from({ length: count }, (_, index) => mixed[(start + index) % mixed.length]).filter(
    (call): call is HeldFace => call !== undefined,
  );
}
