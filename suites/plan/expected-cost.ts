import type { Size } from 'gatecheck-reports/report';
import type { Check } from '../engine/check.ts';
import type { Fact } from '../engine/facts.ts';
import { missingFacts } from '../engine/has-fact.ts';
import { chatModel } from '../oracle/chat-catalogue.ts';
import { mediaModel } from '../oracle/media/models.ts';
import { dialectOf } from '../oracle/native/dialects.ts';
import type { Profile } from '../profile/profile.ts';
import { silencedBy } from '../profile/translation.ts';
import {
  addCalls,
  type CheckCost,
  type CheckCosts,
  callsOf,
  crowding,
  type FullCalls,
  type MeasuredCosts,
  timesCalls,
} from './check-costs.ts';

/** What one check is expected to send to a deployment. */
export interface ExpectedCost {
  readonly exchanges: number;
  readonly reads: number;
  readonly ms: number;
  readonly models: ReadonlyMap<string, FullCalls>;
}

/** A check that calls at least this share of a group's models is assumed to call each of them, not to draw some. */
const shareOfAll = 0.75;

/** The factor of a property's cases in full size (`runs` of a property). */
const fullFactor = 10;

/** The share of the quick cost in the smoke size, for a check that was not measured in it. */
const smokeFactor = 0.35;

/**
 * The measured cost of a check on a deployment with other models. Calls of a missing model are dropped when the check calls
 * each model, or this one by name. Otherwise the check draws another model of the same group.
 * @returns null for a check that was never measured
 */
export function expectedCost(
  check: Pick<Check, 'id' | 'kind'>,
  costs: CheckCosts,
  where: { readonly profile: Profile; readonly enabled: ReadonlySet<string>; readonly size: Size },
): ExpectedCost | null {
  const measured = costs.checks[check.id];
  const quick = measuredCost(measured, where.profile);
  if (quick === null) return null;
  const isSmoke = where.size === 'smoke';
  // This was measured with only a URL and a key. With more facts, a check tries more in the smoke size too.
  const smoke = isSmoke && quick === measured?.address ? measured.smoke : undefined;
  const cost = smoke ?? quick;
  // A run with one account has not as many checks side by side.
  const crowd = cost === measured?.profile && where.profile.tenants.length === 0 ? crowding(costs) : 1;
  const enabled = enabledFor(check.id, where.enabled);
  const models = new Map<string, FullCalls>();
  let left = 0;
  let tasksLeft = 0;
  let tasks = 0;
  for (const [model, counts] of Object.entries(cost.models)) {
    const calls = callsOf(counts);
    const isTask = mediaModel(model)?.endpoint === 'tasks';
    if (isTask) tasks += calls.asked;
    const asked = isMissing(model, enabled) ? stepIn(check, model, cost, costs, enabled) : model;
    if (asked === null && isRefusedAnyway(model, cost, costs)) continue;
    if (asked === null) {
      left += calls.asked;
      if (isTask) tasksLeft += calls.asked;
    } else {
      addCalls(models, asked, calls);
    }
  }
  const readsLeft = tasks === 0 ? 0 : Math.round((cost.reads * tasksLeft) / tasks);
  const one = {
    exchanges: cost.exchanges - left - readsLeft,
    reads: cost.reads - readsLeft,
    ms: (cost.ms * (1 - (left + readsLeft) / Math.max(1, cost.exchanges))) / crowd,
    models,
  };
  if (isSmoke) return smoke === undefined ? times(one, smokeShare(measured)) : one;
  return where.size === 'full' && check.kind === 'property' ? times(one, fullFactor) : one;
}

/** The ratio of the smoke cost to the quick cost. */
function smokeShare({ smoke, address }: Partial<MeasuredCosts> = {}): number {
  if (smoke === undefined || address == null) return smokeFactor;
  return Math.min(1, onceSent(smoke) / Math.max(1, onceSent(address)));
}

/** The exchanges of a check without the reads that are repeated as often as needed. */
export function onceSent({ exchanges, reads }: CheckCost): number {
  return exchanges - reads;
}

/** The measurement whose number of facts is closest to the profile's. */
export function measuredCost(measured: MeasuredCosts | undefined, profile: Profile): CheckCost | null {
  if (measured === undefined) return null;
  const { profile: most, address } = measured;
  if (profile.upstream !== undefined || address === null) return most ?? address;
  const { lacks = [] } = address;
  const isUnlocked = lacks.length > 0 && missingFacts(lacks, profile).length === 0;
  return isUnlocked ? (most ?? address) : address;
}

/**
 * The missing facts that stop a check. Some checks only notice during the run that a fact is missing, so the measured ones
 * count too.
 */
export function lackedFacts(
  { id, needs }: Pick<Check, 'id' | 'needs'>,
  costs: CheckCosts,
  profile: Profile,
): Fact[] {
  const { lacks = [] } = measuredCost(costs.checks[id], profile) ?? {};
  return missingFacts([...new Set([...needs, ...lacks])], profile);
}

/**
 * Whether a check has nothing to judge: it asks only models that are not enabled, and no other one will do, or endpoints that are
 * absent, or a deviation of the profile leaves nothing of its rules.
 */
export function asksNothing(
  check: Pick<Check, 'id' | 'requirements' | 'dialects' | 'oneOf'>,
  costs: CheckCosts,
  where: { readonly profile: Profile; readonly enabled: ReadonlySet<string> },
): boolean {
  if (silencedBy(where.profile.translation, check.requirements) !== null) return true;
  const isSpoken = (id: string): boolean =>
    mediaModel(id) === undefined && check.dialects?.includes(dialectOf(id)) !== false;
  if (![...where.enabled].some(isSpoken) && check.dialects !== undefined) return true;
  if (check.oneOf?.every((fact) => missingFacts([fact], where.profile).length > 0) === true) return true;
  const { asks } = costs.checks[check.id] ?? {};
  const enabled = enabledFor(check.id, where.enabled);
  if (asks !== undefined) return !asks.some((model) => enabled.has(model));
  const cost = measuredCost(costs.checks[check.id], where.profile);
  const models = Object.keys(cost?.models ?? {}).filter((model) => groupOf(model) !== null);
  return (
    cost !== null &&
    models.length > 0 &&
    models.every((model) => !enabled.has(model) && stepIn(check, model, cost, costs, enabled) === null)
  );
}

/** The enabled models that a check can use: most checks call chat completions, which may not serve each model. */
function enabledFor(id: string, enabled: ReadonlySet<string>): ReadonlySet<string> {
  if (/^(?:comp[ab]|faces)\./.test(id)) return enabled;
  return new Set([...enabled].filter((model) => chatModel(model)?.absentOn?.includes('chat') !== true));
}

/** Whether a catalogue model is not enabled. Checks invent other names, which are never missing. */
function isMissing(model: string, enabled: ReadonlySet<string>): boolean {
  return groupOf(model) !== null && !enabled.has(model);
}

/** The substitute for a model that is not enabled; null when the call is dropped. */
function stepIn(
  { id }: Pick<Check, 'id'>,
  model: string,
  cost: CheckCost,
  costs: CheckCosts,
  enabled: ReadonlySet<string>,
): string | null {
  const group = costs.models.filter((other) => groupOf(other) === groupOf(model));
  const asked = group.filter((other) => cost.models[other] !== undefined);
  const others = group.filter((other) => enabled.has(other));
  const isNamed = id.includes(model.toLowerCase().replaceAll('.', '-'));
  if (isNamed || others.length === 0 || asked.length >= shareOfAll * group.length) return null;
  return others[group.indexOf(model) % others.length] ?? null;
}

/** Whether a check names each model of a group, and is never served: it sends these calls to be refused, enabled or not. */
function isRefusedAnyway(model: string, cost: CheckCost, costs: CheckCosts): boolean {
  const group = costs.models.filter((other) => groupOf(other) === groupOf(model));
  const asked = group.filter((other) => cost.models[other] !== undefined);
  const isServed = Object.values(cost.models).some((counts) => callsOf(counts).paid > 0);
  return !isServed && asked.length === group.length;
}

function groupOf(model: string): string | null {
  const media = mediaModel(model);
  if (media !== undefined) return `${media.endpoint} ${media.medium}`;
  return chatModel(model) === undefined ? null : 'chat';
}

function times(cost: ExpectedCost, factor: number): ExpectedCost {
  return {
    exchanges: Math.ceil(cost.exchanges * factor),
    reads: Math.ceil(cost.reads * factor),
    ms: cost.ms * factor,
    models: new Map([...cost.models].map(([model, calls]) => [model, timesCalls(calls, factor)])),
  };
}
