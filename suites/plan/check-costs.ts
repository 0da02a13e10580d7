import { readFileSync } from 'node:fs';
import type { ModelCalls } from 'gatecheck-reports/evidence';
import type { Fact } from '../engine/facts.ts';

/**
 * What each check sends to a deployment that keeps the rules, as measured on the reference (`note-costs.ts`): with everything
 * declared, and by address and key alone.
 */
export interface CheckCosts {
  /** The models that were enabled when it was measured. */
  readonly models: readonly string[];
  /** What a whole run with a full profile sent beside its checks, so that failed channels come back. */
  readonly recovery: Recovery;
  /** How many checks ran at once, on average, when all shared one account. */
  readonly side: number;
  readonly checks: Readonly<Record<string, MeasuredCosts>>;
}

/** Good calls of the run itself, most of them short chats, and what its checks sent. */
export interface Recovery {
  readonly exchanges: number;
  readonly paid: number;
  readonly besideExchanges: number;
}

/** How much a profile declares: everything, or a URL and a key. */
export const knowledges = ['profile', 'address'] as const;
export type Knowledge = (typeof knowledges)[number];

/** What a check sends in the quick size; null where a fact that it needs is missing, so that it does not begin. */
export interface MeasuredCosts extends Readonly<Record<Knowledge, CheckCost | null>> {
  /** What it sends in the smoke size by address and key alone; absent where it was not measured. */
  readonly smoke?: CheckCost;
  /** The models of which it needs one, as it said where there was none; absent where any chat model will do. */
  readonly asks?: readonly string[];
}

export interface CheckCost {
  readonly exchanges: number;
  /** Of the exchanges those that are repeated as often as needed, as reads of tasks. */
  readonly reads: number;
  /** How long it took, ms. */
  readonly ms: number;
  /** Calls by model, as the members of {@link countNames} in order, without zeros at the end. */
  readonly models: Readonly<Record<string, readonly number[]>>;
  /** The facts for lack of which it could not go on. */
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

/** The committed table. */
export const costsFile = new URL('./check-costs.json', import.meta.url);

export function loadCheckCosts(): CheckCosts {
  return JSON.parse(readFileSync(costsFile, 'utf8')) as CheckCosts;
}

/** How many times longer a check took in a whole run beside all others than in one by address alone, for the same exchanges. */
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

/** The counts of the table in words. */
export function callsOf(counts: readonly number[]): FullCalls {
  return Object.fromEntries(
    countNames.map((name, place) => [name, counts[place] ?? 0]),
  ) as unknown as FullCalls;
}

/** The counts as the table keeps them. */
export function countsOf(calls: ModelCalls): number[] {
  const counts = countNames.map((name) => calls[name] ?? 0);
  return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
}

/** Adds calls to those of a model that are there already. */
export function addCalls(byModel: Map<string, FullCalls>, model: string, calls: FullCalls): void {
  const known = byModel.get(model);
  byModel.set(model, callsOf(countNames.map((name) => (known?.[name] ?? 0) + calls[name])));
}

/** So many times these calls. A share of a call stays one: many checks with a share each make whole calls together. */
export function timesCalls(calls: FullCalls, factor: number): FullCalls {
  return callsOf(countNames.map((name) => calls[name] * factor));
}

export function wholeCalls(calls: FullCalls): FullCalls {
  return callsOf(countNames.map((name) => Math.round(calls[name])));
}

/** What a check sends where much is declared, else by address; undefined for one that was never measured. */
export function largestCost({ checks }: CheckCosts, id: string): CheckCost | undefined {
  return checks[id]?.profile ?? checks[id]?.address ?? undefined;
}
