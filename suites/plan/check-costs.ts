import type { ModelCalls } from 'gatecheck-reports/evidence';
import { costs } from '../checks/areas.ts';
import type { Fact } from '../engine/facts.ts';

/**
 * What each check sends to a conforming deployment, as measured on the reference gateway (`note-costs.ts`). It was measured
 * with everything declared, and with only a URL and a key.
 */
export interface CheckCosts {
  /** The models that were enabled in the measurement. */
  readonly models: readonly string[];
  /** The calls of a whole run with a full profile besides its checks, which recover failed channels. */
  readonly recovery: Recovery;
  /** How many checks ran at once, on average, when all shared one account. */
  readonly side: number;
  /** The costs are those of a run on the same deployment. */
  readonly isOfDeployment?: true;
  readonly checks: Readonly<Record<string, MeasuredCosts>>;
}

/** The run's own successful calls, most of them short chats, and the exchanges of its checks. */
export interface Recovery {
  readonly exchanges: number;
  readonly paid: number;
  readonly besideExchanges: number;
}

/** How much a profile declares: everything, or a URL and a key. */
export const knowledges = ['profile', 'address'] as const;
export type Knowledge = (typeof knowledges)[number];

/** What a check sends in the quick size; null when it lacks a fact and does not begin. */
export interface MeasuredCosts extends Readonly<Record<Knowledge, CheckCost | null>> {
  /** What it sends in the smoke size with only a URL and a key; absent when not measured. */
  readonly smoke?: CheckCost;
  /** The models of which it needs one, from its report on a deployment without them. Absent when any chat model will do. */
  readonly asks?: readonly string[];
}

export interface CheckCost {
  readonly exchanges: number;
  /** The number of exchanges that are repeated as often as needed, such as reads of tasks. */
  readonly reads: number;
  /** How long it took, ms. */
  readonly ms: number;
  /** Calls by model, as the members of {@link countNames} in order, without zeros at the end. */
  readonly models: Readonly<Record<string, readonly number[]>>;
  /** The missing facts that stopped it. */
  readonly lacks?: readonly Fact[];
}

const countNames = [
  'asked',
  'paid',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'images',
  'seconds',
] as const satisfies (keyof ModelCalls)[];

/** Calls of a model, with every count. */
export type FullCalls = Required<ModelCalls>;

export function loadCheckCosts(): CheckCosts {
  return costs as CheckCosts;
}

/**
 * How many times longer the same exchanges take in a full run, with other checks beside them, than with only a URL and a key.
 */
export function crowding(costs: CheckCosts): number {
  const known = crowdings.get(costs) ?? crowdingIn(costs);
  crowdings.set(costs, known);
  return known;
}

const crowdings = new WeakMap<CheckCosts, number>();

function crowdingIn({ checks }: CheckCosts): number {
  let [crowded, alone] = [0, 0];
  for (const { profile, address } of Object.values(checks)) {
    if (profile === null || address === null || address.exchanges === 0) continue;
    crowded += profile.ms;
    alone += (address.ms * profile.exchanges) / address.exchanges;
  }
  return alone === 0 ? 1 : Math.max(1, crowded / alone);
}

/** The counts of the table as named members. */
export function callsOf(counts: readonly number[]): FullCalls {
  return Object.fromEntries(
    countNames.map((name, place) => [name, counts[place] ?? 0]),
  ) as unknown as FullCalls;
}

/** The counts in the form of the table. */
export function countsOf(calls: ModelCalls): number[] {
  const counts = countNames.map((name) => calls[name] ?? 0);
  return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
}

/** Adds calls to the earlier calls of a model. */
export function addCalls(byModel: Map<string, FullCalls>, model: string, calls: FullCalls): void {
  const known = byModel.get(model);
  byModel.set(model, callsOf(countNames.map((name) => (known?.[name] ?? 0) + calls[name])));
}

/** Multiplies calls. Fractions are kept, because the fractions of many checks add up to whole calls. */
export function timesCalls(calls: FullCalls, factor: number): FullCalls {
  return callsOf(countNames.map((name) => calls[name] * factor));
}

export function wholeCalls(calls: FullCalls): FullCalls {
  return callsOf(countNames.map((name) => Math.round(calls[name])));
}

/** The cost of a check with everything declared, else with only a URL and a key; undefined when it was never measured. */
export function largestCost({ checks }: CheckCosts, id: string): CheckCost | undefined {
  return checks[id]?.profile ?? checks[id]?.address ?? undefined;
}
