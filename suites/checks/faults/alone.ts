import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type FaultCell, type FaultFacts, verdictOf } from '../../oracle/faults/fault-facts.ts';
import { goodCall } from '../../steps/failures/served-again.ts';
import { type Strain, strainsOf } from '../../steps/failures/strain.ts';
import { type Attempt, judgeAlone } from './attempt.ts';
import { cellName, chosenCells, mayCool, spread } from './cells.ts';
import { judgeHealthy, type Touched } from './health.ts';
import { faultMember, requestFor, toldReply } from './told.ts';
import { passDeadlines } from './waiting.ts';

/**
 * Tries a fault on models with one channel, in every dialect and call: some calls at once, then what became of them, then
 * whether the stack is as healthy as before.
 */
export async function judgeOnOneChannel(
  kit: CheckParts,
  facts: FaultFacts,
  afterwards: (attempt: Attempt) => Promise<void> = async () => undefined,
): Promise<void> {
  const strains = strainsOf(kit, facts.dialects);
  const cells = spread(chosenCells(kit, facts).filter(({ dialect }) => strains.has(dialect)));
  for (const round of roundsOf(kit, facts, cells)) {
    const touched = await easedModels(kit, facts, round, strains);
    const attempts = await Promise.all(
      round.map((cell, place) => openAlone(kit, facts, cell, touched[place]?.model ?? '', keyAt(kit, place))),
    );
    const { deadline } = verdictOf(facts, round[0] as FaultCell);
    if (deadline !== null) await passDeadlines(kit, attempts, deadline);
    for (const attempt of attempts) {
      await judgeAlone(kit, attempt);
      await afterwards(attempt);
    }
    const mayRest = attempts.some(({ verdict }) => mayCool(verdict));
    await judgeHealthy(kit, facts, touched, mayRest);
  }
}

/** Cells that are tried at once: of one deadline, and not more than the caps of two users allow. */
function roundsOf(kit: CheckParts, facts: FaultFacts, cells: readonly FaultCell[]): FaultCell[][] {
  const byDeadline = Map.groupBy(cells, (cell) => verdictOf(facts, cell).deadline);
  return [...byDeadline].flatMap(([deadline, group]) => {
    const width = deadline === null ? new Set(group.map(({ dialect }) => dialect)).size : widthOf(kit);
    return inParts(group, width);
  });
}

function widthOf(kit: CheckParts): number {
  return kit.target.ownLane && kit.keys.K4 !== undefined ? 2 * capOf(kit) : capOf(kit);
}

function capOf(kit: CheckParts): number {
  const { value } = kit.target.profile.cap;
  return kit.target.ownLane ? value : Math.max(1, value - 1);
}

/** The user whose cap has room for the call at this place of a round. */
function keyAt(kit: CheckParts, place: number): string {
  return place < capOf(kit) ? kit.keys.K1 : (kit.keys.K4 ?? kit.keys.K1);
}

/** Cuts a list into parts of at most so many. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}

/** A model for each cell, with as many good calls before as keep its breaker closed. */
async function easedModels(
  kit: CheckParts,
  facts: FaultFacts,
  round: readonly FaultCell[],
  strains: ReadonlyMap<string, Strain>,
): Promise<Touched[]> {
  const touched: Touched[] = [];
  for (const cell of round) {
    const strain = strains.get(cell.dialect);
    if (strain === undefined) throw new Error(`no strain for ${cell.dialect}`);
    const { seen, attempts } = verdictOf(facts, cell);
    const coming = seen.some((sight) => sight !== 'served') ? Math.max(1, attempts[1]) : 0;
    const model = strain.next();
    for (let good = strain.goodCallsBefore(model, coming); good > 0; good -= 1) {
      await goodCall(kit, model);
      strain.served(model);
    }
    strain.failed(model, coming);
    touched.push({ model, strain });
  }
  return touched;
}

/** Arms the fault and makes the call. */
export async function openAlone(
  kit: CheckParts,
  facts: FaultFacts,
  cell: FaultCell,
  model: string,
  key: string,
): Promise<Attempt> {
  const scene = kit.newScene();
  const { reply, told } = toldReply(facts);
  await scene.script({ ...reply, ...faultMember(facts, cell) });
  const label = `${cellName(facts, cell)}, ${model}`;
  const live = kit.http.openChat(requestFor(scene, model, told, cell), { key, label });
  return { facts, cell, verdict: verdictOf(facts, cell), model, key, scene, told, live };
}
