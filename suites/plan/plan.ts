import type { Size } from 'gatecheck-reports/report';
import type { CheckFacts } from '../engine/check.ts';
import { missingFacts } from '../engine/has-fact.ts';
import type { Generation } from '../engine/model-calls.ts';
import { mediaModel } from '../oracle/media/models.ts';
import { dollarText } from '../oracle/money.ts';
import { callsAtOnce } from '../profile/calls-at-once.ts';
import type { Pricing } from '../profile/money.ts';
import type { Profile } from '../profile/profile.ts';
import { priceOfGeneration } from '../runner/run-budget.ts';
import { addCalls, type CheckCosts, type FullCalls, wholeCalls } from './check-costs.ts';
import { asksNothing, type ExpectedCost, expectedCost, lackedFacts } from './expected-cost.ts';

/** What is known of a deployment and of the run before its first check. */
export interface PlanFacts {
  readonly profile: Profile;
  readonly models: readonly string[];
  readonly mediaModels: readonly string[];
  readonly pricing: Pricing;
  readonly size: Size;
  /** How many checks run at once, each with its own account. */
  readonly concurrency: number;
  /** How long a refused call takes, ms. */
  readonly latencyMs: number;
  /** How long a paid answer takes, ms; null when not given. */
  readonly answerMs: number | null;
  /** The number of exchanges already sent, to see whether the deployment answers. */
  readonly sent: number;
}

/** What is generated: chat answers, and the media by kind. */
export const generated = ['chat', 'image', 'video', 'audio'] as const;
export type Generated = (typeof generated)[number];

/** What a run will send and cost. */
export interface Plan {
  readonly checks: number;
  /** Checks that lack a fact and send nothing. */
  readonly untestable: number;
  /** Checks that were never measured. */
  readonly unknown: readonly string[];
  readonly exchanges: number;
  readonly reads: number;
  readonly paid: Readonly<Record<Generated, number>>;
  readonly tokens: number;
  /** Dollars, exact; null when no price is known. */
  readonly usd: string | null;
  /** Whether upstreams are simulated, so that nothing is paid. */
  readonly isSimulated: boolean;
  /** Paid models without a price. */
  readonly unpriced: readonly string[];
  readonly ms: number;
  /** The slowest checks, with their ms. */
  readonly longest: readonly (readonly [id: string, ms: number])[];
}

/** How many of the checks that move the clock work at once, on average; the others wait for it. */
const movingTogether = 2;

/** How long the reference gateway takes to answer, ms; the measured times include this. */
const measuredLatencyMs = 10;

/** How many of the slowest checks are named. */
const named = 5;

export function planOf(checks: readonly CheckFacts[], costs: CheckCosts, facts: PlanFacts): Plan {
  const { profile } = facts;
  const where = {
    profile,
    enabled: new Set([...facts.models, ...facts.mediaModels]),
    size: facts.size,
  };
  const able = checks.filter(
    (check) => missingFacts(check.needs, profile).length === 0 && !asksNothing(check, costs, where),
  );
  const judged = able.filter((check) => lackedFacts(check, costs, profile).length === 0);
  const expected = able.map((check) => ({ check, cost: expectedCost(check, costs, where) }));
  const known = expected.flatMap(({ check, cost }) =>
    cost === null ? [] : [{ check, cost, ms: timeOf(cost, facts) }],
  );
  const sum = (of: (cost: ExpectedCost) => number): number =>
    known.reduce((total, { cost }) => total + of(cost), 0);
  const atOnce = profile.tenants.length === 0 ? costs.side : facts.concurrency;
  const side = { none: atOnce, jump: Math.min(movingTogether, atOnce), alone: 1 };
  const exchanges = sum((cost) => cost.exchanges);
  const recovers = profile.upstream !== undefined || costs.isOfDeployment === true;
  const recovery = recovers ? exchanges / costs.recovery.besideExchanges : 0;
  const paid = paidIn(
    known.map(({ cost }) => cost),
    facts.pricing,
  );
  const probes = Math.round(recovery * costs.recovery.paid);
  return {
    checks: judged.length,
    untestable: checks.length - judged.length,
    unknown: expected
      .filter(({ check, cost }) => cost === null && check.kind !== 'passive')
      .map(({ check }) => check.id),
    exchanges: facts.sent + exchanges + Math.round(recovery * costs.recovery.exchanges),
    reads: sum(({ reads }) => reads),
    isSimulated: profile.upstream !== undefined,
    ...paid,
    paid: { ...paid.paid, chat: paid.paid.chat + probes },
    ms: Math.round(
      Math.max(
        known.reduce((sum, { check, ms }) => sum + ms / side[check.clock ?? 'none'], 0),
        pacedMs(facts.sent + exchanges, profile),
      ),
    ),
    longest: known
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, named)
      .map(({ check, ms }) => [check.id, Math.round(ms)]),
  };
}

/** The expected time of each check that lacks no fact, by itself, ms; 0 for one that was never measured. */
export function timesOf(
  checks: readonly CheckFacts[],
  costs: CheckCosts,
  facts: PlanFacts,
): Map<string, number> {
  const { profile, size } = facts;
  const where = { profile, size, enabled: new Set([...facts.models, ...facts.mediaModels]) };
  return new Map(
    checks
      .filter((check) => lackedFacts(check, costs, profile).length === 0)
      .map((check) => {
        const cost = expectedCost(check, costs, where);
        return [check.id, cost === null ? 0 : timeOf(cost, facts)];
      }),
  );
}

/** The expected time of a check, ms. At most cap minus one of its calls are in flight. */
function timeOf(
  { exchanges, ms, models }: ExpectedCost,
  { profile, latencyMs, answerMs }: PlanFacts,
): number {
  const width = callsAtOnce(profile);
  const paid = [...models.values()].reduce((sum, calls) => sum + calls.paid, 0);
  const slower = Math.max(0, latencyMs - measuredLatencyMs) * (exchanges - paid);
  const answers = Math.max(0, (answerMs ?? latencyMs) - measuredLatencyMs) * paid;
  return Math.max(ms + (slower + answers) / width, pacedMs(exchanges, profile));
}

/** How long so many calls take at least where the deployment limits calls by time, ms. */
function pacedMs(exchanges: number, { http }: Profile): number {
  return http.calls_per_minute === undefined ? 0 : (exchanges / http.calls_per_minute) * 60_000;
}

function paidIn(
  costs: readonly ExpectedCost[],
  pricing: Pricing,
): Pick<Plan, 'paid' | 'tokens' | 'usd' | 'unpriced'> {
  const byModel = new Map<string, FullCalls>();
  for (const { models } of costs) for (const [model, calls] of models) addCalls(byModel, model, calls);
  const paid: Record<Generated, number> = { chat: 0, image: 0, video: 0, audio: 0 };
  const unpriced: string[] = [];
  let tokens = 0;
  let pico = 0n;
  for (const [model, shares] of byModel) {
    const calls = wholeCalls(shares);
    if (calls.paid === 0) continue;
    paid[mediaModel(model)?.medium ?? 'chat'] += calls.paid;
    tokens += calls.prompt_tokens + calls.completion_tokens;
    const price = priceOfSum(pricing, model, calls);
    if (price === null) unpriced.push(model);
    pico += price ?? 0n;
  }
  return { paid, tokens, usd: pricing.models === undefined ? null : dollarText(pico), unpriced };
}

/** The price of a sum of calls. Prices are linear, except that a task has a price each time. */
function priceOfSum(pricing: Pricing, model: string, calls: FullCalls): bigint | null {
  const { images, seconds } = calls;
  const generation: Generation =
    mediaModel(model) === undefined ? { model, tokens: calls } : { model, made: { images, seconds } };
  const price = priceOfGeneration(pricing, generation);
  const listed = pricing.models?.[model];
  const isByTask = listed !== undefined && 'per_task' in listed;
  return price !== null && isByTask ? price * BigInt(calls.paid) : price;
}

/** The options of the user about the size of a run. */
interface SizeWords {
  readonly full: boolean;
  readonly size?: Size;
}

/** The size of a run. Without an explicit size, it is smoke if the quick size would reach few rules in the given time. */
export function fittingSize(
  { full, size }: SizeWords,
  minutes: number | undefined,
  planIn: (size: Size) => Pick<Plan, 'ms'>,
): Size {
  if (full) return 'full';
  if (size !== undefined || minutes === undefined) return size ?? 'quick';
  return planIn('quick').ms <= minutes * 60_000 ? 'quick' : 'smoke';
}
