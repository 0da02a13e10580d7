import type { CheckParts } from '../../engine/parts/check-parts.ts';
import {
  cellsOf,
  type FaultCell,
  type FaultFacts,
  type Verdict,
  verdictOf,
} from '../../oracle/faults/fault-facts.ts';
import { roundRobin } from '../../values/round-robin.ts';
import { deadlineMs } from './waiting.ts';

/** How many cells any run tries of a fault that needs no time. */
const fewCells = 6;

/** Longer than the pauses within any answer that only the total deadline ends, with room for a late move, ms. */
const longestGapMs = 10_000;

/** The cells to try: all in a full run; else each dialect and call with a form drawn by seed. */
export function chosenCells({ cases, rng, target }: CheckParts, facts: FaultFacts): FaultCell[] {
  const all = cellsOf(facts);
  const forms = facts.forms ?? [null];
  if (cases.full || (all.length <= fewCells && !takesTime(facts))) return all;
  if (facts.verdict.deadline === 'total') {
    const form = fewestSteps(forms, deadlineMs(target, 'idle'));
    const fitting = all.filter((cell) => cell.form === form);
    return facts.calls.map((call) => rng.pick(fitting.filter((cell) => cell.call === call)));
  }
  if (forms.length === 1) return all;
  const calls = facts.dialects.flatMap((dialect) => facts.calls.map((call) => ({ dialect, call })));
  const order = rng.shuffle(forms);
  const places = rng.shuffle(calls);
  return Array.from({ length: Math.max(order.length, places.length) }, (_, index): FaultCell => {
    const place = places[index % places.length] ?? calls[0];
    if (place === undefined) throw new Error(`${facts.id} exists in no dialect`);
    const here = all.filter(({ dialect, call }) => dialect === place.dialect && call === place.call);
    const form = order[index % order.length] ?? null;
    return here.find((cell) => cell.form === form) ?? rng.pick(here);
  });
}

/**
 * A deadline of minutes passes in one clock step per byte, so one call is enough. It uses the form with the longest gaps,
 * unless the gateway's idle timeout is shorter.
 */
function fewestSteps(forms: readonly (string | null)[], idleMs: number): string | null {
  return (idleMs > longestGapMs ? forms.at(-1) : forms[0]) ?? null;
}

/** One cell for each dialect and call, with the first form that `wanted` accepts. */
export function cellsWhere(facts: FaultFacts, wanted: (verdict: Verdict) => boolean): FaultCell[] {
  const fitting = cellsOf(facts).filter((cell) => wanted(verdictOf(facts, cell)));
  const places = Map.groupBy(fitting, ({ dialect, call }) => `${dialect} ${call}`);
  return [...places.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

/** Orders cells so that neighbours have different dialects. */
export function spread(cells: readonly FaultCell[]): FaultCell[] {
  return roundRobin([...Map.groupBy(cells, ({ dialect }) => dialect).values()]);
}

/** Whether a gateway may cool the channel down after this fault, even when the upstream works again. */
export function mayCool({ codes, attempts, breaker }: Verdict): boolean {
  const [first] = codes;
  if (first === 'channel_queue_full' || first === 'channel_outage') return true;
  return codes.includes('channel_outage') && attempts[1] === 1 && breaker !== 'ignored';
}

/** Whether time must pass for the fault to show, or for the channel to return. */
export function takesTime(facts: FaultFacts): boolean {
  return cellsOf(facts).some((cell) => {
    const verdict = verdictOf(facts, cell);
    return verdict.deadline !== null || mayCool(verdict);
  });
}

/** The name of a cell, for labels. */
export function cellName(facts: FaultFacts, { dialect, call, form }: FaultCell): string {
  return `${facts.id} ${facts.name}${form === null ? '' : ` (${form})`}, ${dialect}, ${call}`;
}
