import type { Span } from '../breaker.ts';
import { type ErrorCode, isErrorCode, keyCodes } from '../error-table.ts';
import { type Behaviour, factsOf } from './behaviours.ts';
import type { KeyState, World } from './world.ts';

/** A fault of the request itself. */
export const callFaults = ['none', 'param', 'model'] as const;
export type CallFault = (typeof callFaults)[number];

/** A call, with the facts that decide its result. */
export interface WorldCall {
  readonly key: string;
  readonly model: string;
  readonly fault: CallFault;
  readonly behaviour: Behaviour;
  /** Whether it only reads, such as the model list. */
  readonly isRead: boolean;
  /** Whether its upstream is asked after its answer, as for a task. */
  readonly isLater: boolean;
}

/** A reason to refuse a call. */
export interface Ground {
  readonly codes: readonly ErrorCode[];
  readonly requirement: string;
}

/** All allowed results of a call. */
export interface Allowed {
  /** The reasons to refuse it. With several, any is right, since the specification gives no order (reading B-04). */
  readonly grounds: readonly Ground[];
  /** Whether it has to be refused for one of them. */
  readonly mustRefuse: boolean;
  /** The upstream's behaviour if it is not refused. */
  readonly behaviour: Behaviour;
  /** Whether the only possible reason for a cool-down of its channel is policy blocks, which must not count. */
  readonly isOnlyBlocked: boolean;
}

/** The result of a call: its error code, or null where it was served. */
export interface Got {
  readonly code: string | null;
  /** The number of its upstream requests. */
  readonly attempts: number;
}

/** A rule that the result of a call violates. */
export interface Broken {
  readonly requirement: string;
  readonly aspect: string;
  readonly expected: string;
}

/** The ground of a refusal for each state of a key. */
export const keyGrounds: Readonly<Record<Exclude<KeyState, 'live'>, Ground>> = {
  disabled: { codes: ['sk_disabled'], requirement: 'AUTH-008' },
  expired: { codes: ['sk_expired'], requirement: 'AUTH-009' },
  barred: { codes: ['ip_not_allowed'], requirement: 'AUTH-010' },
};

const capGround: Ground = { codes: ['concurrency_exceeded'], requirement: 'ERR-020' };
const spentGround: Ground = { codes: ['quota_exceeded'], requirement: 'LIM-011' };
const hiddenGround: Ground = { codes: ['model_not_found'], requirement: 'ERR-023' };
const faultGround: Ground = { codes: ['invalid_param'], requirement: 'ERR-024' };
const restGround: Ground = { codes: ['channel_queue_full', 'channel_outage'], requirement: 'ROUTE-010' };
const outageGround: Ground = { codes: ['channel_outage'], requirement: 'ROUTE-009' };

/** The rule that an unjustified refusal violates, by its code. */
const groundless: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_api_key: 'AUTH-007',
  sk_disabled: 'AUTH-008',
  sk_expired: 'AUTH-009',
  ip_not_allowed: 'AUTH-010',
  concurrency_exceeded: 'LIM-004',
  quota_exceeded: 'ERR-021',
  channel_queue_full: 'ROUTE-011',
  channel_outage: 'ROUTE-011',
  model_not_found: 'ERR-023',
  invalid_param: 'ERR-024',
  context_too_long: 'ERR-025',
  unsupported_capability: 'ERR-026',
  content_filter: 'ERR-027',
  upstream_error: 'ERR-029',
  upstream_timeout: 'ERR-031',
  internal_error: 'ERR-032',
};

/**
 * The allowed results of a call in this world.
 * @param beside the number of other calls of its user at the same time
 */
export function allowedOf(world: World, call: WorldCall, at: Span, beside = 0): Allowed {
  const { account, user, state } = world.key(call.key);
  const behaviour = call.isLater ? 'good' : call.behaviour;
  const isOnlyBlocked = world.isOnlyBlocked(call.model);
  if (state !== 'live') return { grounds: [keyGrounds[state]], mustRefuse: true, behaviour, isOnlyBlocked };
  const sure: Ground[] = [];
  if (world.freeSlots(user) === 0) sure.push(capGround);
  if (call.fault === 'param') sure.push(faultGround);
  if (call.fault === 'model' || (!call.isRead && world.lacks(account, call.model))) sure.push(hiddenGround);
  if (!call.isRead && world.isSpent(account)) sure.push(spentGround);
  const duty = call.isRead || call.isLater || call.fault !== 'none' ? 'pass' : world.duty(call.model, at);
  if (duty === 'refuse') sure.push(outageGround);
  const maybe: Ground[] = [];
  if (!call.isRead && !call.isLater && world.mayRest(call.model, at)) maybe.push(restGround);
  const isProbed =
    beside > 0 && duty === 'pass' && !call.isLater && world.breaker(call.model).probing(at) !== 'refuse';
  if (duty === 'either' || isProbed) maybe.push(outageGround);
  if (beside >= world.freeSlots(user)) maybe.push(capGround);
  return { grounds: [...sure, ...maybe], mustRefuse: sure.length > 0, behaviour, isOnlyBlocked };
}

/** The rule that a call's fate breaks, named by the nearest outcome that is allowed; null where it keeps them all. */
export function brokenBy(allowed: Allowed, { code, attempts }: Got): Broken | null {
  const { grounds, mustRefuse, behaviour, isOnlyBlocked } = allowed;
  const ground = grounds.find(({ codes }) => codes.some((one) => one === code));
  if (ground !== undefined && attempts === 0) return null;
  const { codes, requirement } = factsOf(behaviour);
  const [first] = grounds;
  if (mustRefuse && first !== undefined) {
    const expected = grounds.flatMap((one) => one.codes).join(' or ');
    // Refused for slots or credit that were available, although another refusal was due.
    const isForKey = keyCodes.some((one) => first.codes.includes(one));
    const own = isOfAccount(code) && !isForKey ? groundless[code] : undefined;
    if (own !== undefined) return { requirement: own, aspect: 'no-ground-left', expected };
    return { requirement: first.requirement, aspect: 'refused-in-time', expected };
  }
  const isAsUpstream = codes === null ? code === null : codes.some((one) => one === code);
  if (isAsUpstream) return null;
  const expected = codes?.join(' or ') ?? 'a call that is served: nothing stands against it';
  const own = code !== null && isErrorCode(code) && !codes?.includes(code) ? groundless[code] : undefined;
  if (own === 'ROUTE-011' && isOnlyBlocked)
    return { requirement: 'ROUTE-013', aspect: 'no-ground-left', expected };
  return { requirement: own ?? requirement, aspect: 'no-ground-left', expected };
}

/** The rule that a refusal breaks for which nothing at the caller's side is a ground; null where its channel may be one. */
export function ruleOfGroundless(code: string): string | null {
  if (!isErrorCode(code) || /^(?:channel|upstream)_/.test(code)) return null;
  return groundless[code] ?? null;
}

function isOfAccount(code: string | null): code is 'concurrency_exceeded' | 'quota_exceeded' {
  return code === 'concurrency_exceeded' || code === 'quota_exceeded';
}
