import type { CheckParts } from '../../engine/parts/check-parts.ts';
import {
  cellsOf,
  type FaultCell,
  type FaultFacts,
  type Verdict,
  verdictOf,
} from '../../oracle/faults/fault-facts.ts';

/** So many cells of a fault that needs no time are tried in any run. */
const fewCells = 6;

/**
 * The cells that a run tries: all of them in a full one; in a quick one every dialect and call with a form drawn by
 * seed, and every form somewhere.
 */
export function chosenCells({ cases, rng }: CheckParts, facts: FaultFacts): FaultCell[] {
  const all = cellsOf(facts);
  const forms = facts.forms ?? [null];
  if (cases.full || (all.length <= fewCells && !takesTime(facts))) return all;
  // A deadline of minutes that is passed in many small steps: once a call is enough.
  if (facts.verdict.deadline === 'total')
    return facts.calls.map((call) => rng.pick(all.filter((cell) => cell.call === call)));
  if (forms.length === 1) return all;
  const calls = facts.dialects.flatMap((dialect) => facts.calls.map((call) => ({ dialect, call })));
  const order = rng.shuffle(forms);
  const places = rng.shuffle(calls);
  return Array.from({ length: Math.max(order.length, places.length) }, (_, index): FaultCell => {
    const place = places[index % places.length] ?? calls[0];
    if (place === undefined) throw new Error(`${facts.id} exists in no dialect`);
    return { ...place, form: order[index % order.length] ?? null };
  });
}

/** One cell a dialect and call, with the first form that `wanted` holds for. */
export function cellsWhere(facts: FaultFacts, wanted: (verdict: Verdict) => boolean): FaultCell[] {
  const fitting = cellsOf(facts).filter((cell) => wanted(verdictOf(facts, cell)));
  const places = Map.groupBy(fitting, ({ dialect, call }) => `${dialect} ${call}`);
  return [...places.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

/** Cells in an order in which those side by side are of different dialects. */
export function spread(cells: readonly FaultCell[]): FaultCell[] {
  const rows = [...Map.groupBy(cells, ({ dialect }) => dialect).values()];
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, place) =>
    rows.flatMap((row) => {
      const cell = row[place];
      return cell === undefined ? [] : [cell];
    }),
  ).flat();
}

/** Whether the channel may be out of use for a while after this, however healthy it is again. */
export function mayCool({ codes, attempts, breaker }: Verdict): boolean {
  const [first] = codes;
  if (first === 'channel_queue_full' || first === 'channel_outage') return true;
  return codes.includes('channel_outage') && attempts[1] === 1 && breaker !== 'ignored';
}

/** Whether time has to pass for the fault to be seen, or for the channel to come back after it. */
export function takesTime(facts: FaultFacts): boolean {
  return cellsOf(facts).some((cell) => {
    const verdict = verdictOf(facts, cell);
    return verdict.deadline !== null || mayCool(verdict);
  });
}

/** A cell in words. */
export function cellName(facts: FaultFacts, { dialect, call, form }: FaultCell): string {
  return `${facts.id} ${facts.name}${form === null ? '' : ` (${form})`}, ${dialect}, ${call}`;
}
