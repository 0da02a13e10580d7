import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { type FaultCell, type FaultFacts, verdictOf } from '../../oracle/faults/fault-facts.ts';
import { rowsOfFault } from '../../oracle/faults/fault-rows.ts';
import { part } from '../../rules/violation.ts';
import { type BreakerBudget, breakerBudgetsOf } from '../../steps/failures/breaker-budget.ts';
import { goodCall, servedAgain } from '../../steps/failures/served-again.ts';
import { largestBytes } from '../../wire/body-bounds.ts';
import { type Attempt, judgeAlone } from './attempt.ts';
import { cellName, chosenCells, mayCool, spread } from './cells.ts';
import { faultMember, requestFor, scriptedReply } from './scripted-answer.ts';
import { passDeadlines } from './waiting.ts';

/** Tries a fault on models with one channel, in every dialect and call, then judges that the stack is healthy again. */
export async function judgeOnOneChannel(
  parts: CheckParts,
  facts: FaultFacts,
  afterwards: (attempt: Attempt) => Promise<void> = async () => undefined,
): Promise<void> {
  const budgets = breakerBudgetsOf(parts, facts.dialects);
  const cells = spread(chosenCells(parts, facts).filter(({ dialect }) => budgets.has(dialect)));
  for (const round of roundsOf(parts, facts, cells)) {
    const touched = await easedModels(parts, facts, round, budgets);
    const attempts = await Promise.all(
      round.map((cell, place) =>
        openAlone(parts, facts, cell, touched[place]?.model ?? '', keyAt(parts, place)),
      ),
    );
    const { deadline } = verdictOf(facts, round[0] as FaultCell);
    if (deadline !== null) await passDeadlines(parts, attempts, deadline);
    for (const attempt of attempts)
      await part(async () => {
        await judgeAlone(parts, attempt);
        await afterwards(attempt);
      });
    const mayRest = attempts.some(({ verdict }) => mayCool(verdict));
    await judgeHealthy(parts, facts, touched, mayRest);
  }
}

/** Cuts a list into chunks. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}

/** Sets the fault and makes the call. */
export async function openAlone(
  { newScene, http }: CheckParts,
  facts: FaultFacts,
  cell: FaultCell,
  model: string,
  key: string,
): Promise<Attempt> {
  const scene = newScene();
  const { reply, scripted } = scriptedReply(facts);
  await scene.script({ ...reply, ...faultMember(facts, cell) });
  const label = `${cellName(facts, cell)}, ${model}`;
  // One fault is an answer of 100 MiB.
  const live = http.openChat(requestFor(scene, model, scripted, cell), {
    key,
    label,
    maxBytes: largestBytes,
  });
  return { facts, cell, verdict: verdictOf(facts, cell), model, key, scene, scripted, live };
}

/** The cells to try at once: of one deadline, and within the caps of two users. */
function roundsOf(parts: CheckParts, facts: FaultFacts, cells: readonly FaultCell[]): FaultCell[][] {
  const byDeadline = Map.groupBy(cells, (cell) => verdictOf(facts, cell).deadline);
  return [...byDeadline].flatMap(([deadline, group]) => {
    const width = deadline === null ? new Set(group.map(({ dialect }) => dialect)).size : widthOf(parts);
    return inParts(group, width);
  });
}

function widthOf({ target, keys }: CheckParts): number {
  return target.ownTenant && keys.K4 !== undefined ? 2 * capOf(target) : capOf(target);
}

function capOf(target: Target): number {
  const { value } = target.profile.cap;
  return target.ownTenant ? value : Math.max(1, value - 1);
}

/** The key for the call with this index: the users' caps are filled in turn. */
function keyAt({ keys, target }: CheckParts, place: number): string {
  return place < capOf(target) ? keys.K1 : (keys.K4 ?? keys.K1);
}

/** A model for each cell, after enough successful calls to keep its breaker closed. */
async function easedModels(
  parts: CheckParts,
  facts: FaultFacts,
  round: readonly FaultCell[],
  budgets: ReadonlyMap<string, BreakerBudget>,
): Promise<Touched[]> {
  const touched: Touched[] = [];
  for (const cell of round) {
    const budget = budgets.get(cell.dialect);
    if (budget === undefined) throw new Error(`no breaker budget for ${cell.dialect}`);
    const { seen, attempts } = verdictOf(facts, cell);
    const coming = seen.some((callerOutcome) => callerOutcome !== 'served') ? Math.max(1, attempts[1]) : 0;
    const model = budget.next();
    for (let good = budget.goodCallsBefore(model, coming); good > 0; good -= 1) {
      await goodCall(parts, model);
      budget.served(model);
    }
    budget.failed(model, coming);
    touched.push({ model, budget });
  }
  return touched;
}

/** A model that has received faults. */
interface Touched {
  readonly model: string;
  readonly budget: BreakerBudget;
}

/** Judges that every model serves again: at the next call, or after a rest where the upstream's answer allows one. */
async function judgeHealthy(
  parts: CheckParts,
  facts: FaultFacts,
  touched: readonly Touched[],
  mayRest: boolean,
): Promise<void> {
  const rule = { requirement: rowsOfFault(facts)[0], aspect: 'recovers' };
  const models = [...new Set(touched.map(({ model }) => model))];
  if (mayRest) {
    await servedAgain(parts, models, rule);
  } else {
    const judged = models.map(async (model) => {
      const exchange = await goodCall(parts, model);
      parts.judge.completed(exchange, { ...rule, model });
    });
    await Promise.all(judged);
  }
  for (const { model, budget } of touched) budget.served(model);
}
