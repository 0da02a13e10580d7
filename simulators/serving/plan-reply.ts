import type { Pacing, Reply } from '../control/protocol.ts';
import { isRaw } from '../control/raw-reply.ts';
import { createPace, noPace, type Pace } from '../latency/pace.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import { type Draws, routeOf } from '../scenarios/draws.ts';
import type { Tenant } from '../state/tenant.ts';

/** The reply to a request, and its origin. */
export interface ReplyPlan {
  readonly reply: Reply;
  /** The deadlines of the reply's pacing. */
  readonly pace: Pace;
  readonly draws: Draws;
  readonly script: string | null;
  /** The fault that was set, or the part of the scenario, that disturbed the request. */
  readonly disturbedBy: string | null;
}

/**
 * Plans the reply of a model call. A fault that fires disturbs the scripted reply. Otherwise the scenario disturbs it, unless
 * the reply has its own failure. The reply's latency precedes the scenario's.
 */
export function planReply(tenant: Tenant, request: RequestFacts, nowMs: number): ReplyPlan {
  const draws = tenant.draw(routeOf(request.channel, request.path));
  const scripted = tenant.scripts.take(request);
  const said = scripted?.reply ?? {};
  const set = tenant.faultRules.fire(request, draws, nowMs);
  const met =
    set === null && hasNoFailure(said) ? (tenant.scenario?.effectOn(request, draws, nowMs) ?? null) : null;
  const disturbance = set?.reply ?? met?.disturbance?.reply;
  const disturbed = disturbance === undefined ? said : disturb(said, disturbance);
  const pacing = disturbed.pacing ?? met?.latency;
  return {
    reply: pacing === undefined ? disturbed : { ...disturbed, pacing },
    pace: pacing === undefined ? noPace : drawPace(pacing, draws),
    draws,
    script: scripted?.script ?? null,
    disturbedBy: set?.id ?? met?.disturbance?.part ?? null,
  };
}

/** Whether the reply contains no failure. */
function hasNoFailure(reply: Reply): boolean {
  return !isRaw(reply) && failureMembers.every((name) => reply[name] === undefined);
}

const failureMembers = ['fault', 'replay', 'hang', 'cut'] as const;
const rawMembers = ['status', 'body', 'error', 'events'] as const;
/** The members of a script for the content of an answer. */
export const spokenMembers = [
  'text',
  'reasoning',
  'deltas',
  'tool_calls',
  'finish',
  'usage',
  'model',
  'job',
] as const;

/** The scripted reply with the disturbance applied; where the two conflict, the disturbance wins. */
function disturb(said: Reply, disturbance: Reply): Reply {
  const { replay: _recorded, ...live } = said;
  if (disturbance.replay !== undefined) {
    return { ...(said.gates === undefined ? {} : { gates: said.gates }), ...disturbance };
  }
  if (isRaw(disturbance)) return { ...without(live, [...spokenMembers, 'fault', 'variant']), ...disturbance };
  const isSpoken = ['fault' as const, ...spokenMembers].some((name) => disturbance[name] !== undefined);
  return { ...(isSpoken ? without(live, rawMembers) : live), ...disturbance };
}

function without(reply: Reply, names: readonly string[]): Reply {
  return Object.fromEntries(Object.entries(reply).filter(([name]) => !names.includes(name)));
}

function drawPace(pacing: Pacing, draws: Draws): Pace {
  const pace = createPace(pacing, { first: draws.random('first_ms'), each: draws.random('each_ms') });
  draws.show('first_ms', pace.dueMs(0));
  return pace;
}
