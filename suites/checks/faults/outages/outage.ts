import type { Check } from '../../../engine/check.ts';
import type { Fact } from '../../../engine/facts.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Target } from '../../../engine/parts/target.ts';
import type { Scene } from '../../../engine/scene.ts';
import type { UpstreamRequest } from '../../../engine/upstream-request.ts';
import type { ErrorCode } from '../../../oracle/error-table.ts';
import { type FaultFacts, verdictOf } from '../../../oracle/faults/fault-facts.ts';
import { rowOfRefusal } from '../../../oracle/faults/fault-rows.ts';
import type { RouteProfile } from '../../../profile/profile.ts';
import { must, Untestable } from '../../../rules/violation.ts';
import { type Exchange, isSuccess } from '../../../wire/exchange.ts';
import type { LiveExchange } from '../../../wire/live-exchange.ts';

/** An outage as a check: its requirements, facts and procedure. */
export interface Outage {
  readonly id: string;
  readonly requirements: Check['requirements'];
  readonly needs: readonly Fact[];
  readonly judge: (parts: CheckParts, facts: FaultFacts) => Promise<void>;
}

/** One call during an outage. */
export interface Call {
  readonly model: string;
  readonly exchange: Exchange;
  /** The channels that it reached, in order. */
  readonly asked: readonly string[];
  /** The code of a refusal; null for a success. */
  readonly code: string | null;
}

/** Rules that every call during an outage can break. */
const manyAttempts = { requirement: 'ROUTE-004', aspect: 'fault-attempts' } as const;

/** How far before and after the end of a wait to call, ms. */
export const marginMs = 1_000;

/** Attempts of one call: two for its model (reading B-106). */
const maxAttempts = 2;

/** Starts the outage's scenario for the tenant. The scene ends it. */
export async function begin(newScene: () => Scene, facts: FaultFacts): Promise<Scene> {
  if (facts.scenario === undefined) throw new Error(`${facts.id} has no scenario`);
  const scene = newScene();
  await scene.play(facts.scenario);
  return scene;
}

/** Makes one call and judges it: a success or an allowed code, after few attempts. */
export async function call(parts: CheckParts, facts: FaultFacts, model: string): Promise<Call> {
  const { live, finish } = openCall(parts, facts, model);
  await live.done;
  return finish();
}

/** Like `call`, but the caller decides how time passes. */
export function openCall(
  parts: CheckParts,
  facts: FaultFacts,
  model: string,
  { scene = parts.newScene(), key = parts.keys.K1 }: { scene?: Scene; key?: string } = {},
): { live: LiveExchange; scene: Scene; finish: () => Promise<Call> } {
  const label = `${facts.id} ${facts.name}, ${model}`;
  const live = parts.http.openChat(scene.minimal(model), { label, key });
  const finish = async (): Promise<Call> => {
    const exchange = await live.done;
    const requests = await scene.requestsNow();
    const asked = requests.filter((_, at) => !isResent(requests, at)).map(({ entry }) => entry.channel);
    return judgeCall(parts, facts, { model, exchange, asked });
  };
  return { live, scene, finish };
}

/**
 * Calls until one is refused without an upstream call, at most `max` times. Returns that call, and the one before it,
 * after which the breaker is open.
 */
export async function callUntilOpen(
  parts: CheckParts,
  facts: FaultFacts,
  model: string,
  max: number,
): Promise<{ readonly refused: Call; readonly opening: Call | null }> {
  let opening: Call | null = null;
  for (let made = 1; ; made += 1) {
    const last = await call(parts, facts, model);
    if (last.asked.length === 0) return { refused: last, opening };
    opening = last;
    must(made < max, {
      requirement: 'ROUTE-009',
      aspect: 'fault-opens',
      expected: `a call without an upstream request, after ${max} failures`,
      actual: `call ${made} asks ${last.asked.join(', ')}`,
      exchange: last.exchange,
    });
  }
}

/** Judges that a call succeeded. */
export function mustServe(
  { code, exchange }: Pick<Call, 'code' | 'exchange'>,
  expected: string,
  rule = { requirement: 'RESP-023', aspect: 'fault-survived' },
): void {
  must(code === null, { ...rule, expected, actual: String(code), exchange });
}

/** A pause of channels: when it began at the earliest and at the latest, in the deployment's time, ms. */
export interface Pause {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** The pause that calls began. */
export function pauseOf({ clock }: CheckParts, calls: readonly Call[]): Pause {
  return {
    earliestMs: Math.min(...calls.map(({ exchange }) => clock.timeAt(exchange.sentAt).min)),
    latestMs: Math.max(...calls.map(({ exchange }) => clock.timeAt(exchange.endedAt).max)),
  };
}

/**
 * Makes a call within a pause and judges that it did not reach an upstream.
 * @param pause how long it lasts at least, ms
 * @throws Untestable when the call lasted beyond the pause: no fault of the gateway
 */
export async function callUnasked(
  parts: CheckParts,
  facts: FaultFacts,
  { model, pause, ms }: { readonly model: string; readonly pause: Pause; readonly ms: number },
  ...judged: [rule: { readonly requirement: string; readonly aspect: string }, when: string]
): Promise<Call> {
  const one = await call(parts, facts, model);
  const isLate = parts.clock.timeAt(one.exchange.endedAt).max >= pause.earliestMs + ms;
  if (one.asked.length > 0 && isLate) throw new Untestable('time');
  judgeUnasked(one, ...judged);
  return one;
}

/** Judges that a call did not reach an upstream. */
export function judgeUnasked(
  { exchange, asked }: Call,
  rule: { readonly requirement: string; readonly aspect: string },
  when: string,
): void {
  const expected = `no upstream request ${when}`;
  must(asked.length === 0, { ...rule, expected, actual: asked.join(', '), exchange });
}

/** A model with two equal channels, drawn by seed. */
export function anyPair(target: Target): RouteProfile {
  const pairs = (target.profile.upstream?.routes ?? []).filter(({ kind }) => kind === 'pair');
  if (pairs.length === 0) throw new Untestable('upstream.routes.pair');
  return target.draw(pairs);
}

/** How long a breaker stays open, ms: the first time, and the next. */
export function coolDowns(target: Target): readonly [number, number] {
  const [first = 30_000, next = first] = target.profile.upstream?.breaker?.cool_down_ms ?? [];
  return [first, next];
}

/** More failing calls than any declared breaker allows. */
export function maxUntilOpen(target: Target): number {
  const breaker = target.profile.upstream?.breaker;
  return Math.max(breaker?.consecutive_failures ?? 5, breaker?.window_least ?? 10) + 2;
}

/** Whether a request only repeats one on a dead connection, which does not count as an attempt (fault T9). */
function isResent(requests: readonly UpstreamRequest[], at: number): boolean {
  const [before, own] = [requests[at - 1]?.entry, requests[at]?.entry];
  return before?.reply.ended === 'cut' && before.reply.status === null && before.channel === own?.channel;
}

function judgeCall({ cases, judge }: CheckParts, facts: FaultFacts, made: Omit<Call, 'code'>): Call {
  cases.count();
  const { model, exchange, asked } = made;
  const upstream = asked.join(', ') || 'no request';
  const [cell] = [{ dialect: 'chat-completions', call: 'plain', form: null }] as const;
  const { codes } = verdictOf(facts, cell);
  const expected = `at most ${maxAttempts} upstream requests`;
  const actual = String(asked.length);
  must(asked.length <= maxAttempts, { ...manyAttempts, expected, actual, exchange, upstream });
  if (isSuccess(exchange)) {
    judge.completed(exchange, { requirement: 'RESP-023', aspect: 'fault-survived', model });
    return { ...made, code: null };
  }
  const allowed: readonly ErrorCode[] =
    asked.length > 0 ? codes : codes.filter((code) => code.startsWith('channel_'));
  const requirement = rowOfRefusal({ codes: allowed });
  const { code } = judge.refused(exchange, { requirement, aspect: 'fault-code', codes: allowed });
  return { ...made, code };
}
