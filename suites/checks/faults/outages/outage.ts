import type { Check } from '../../../engine/check.ts';
import type { Fact } from '../../../engine/facts.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Target } from '../../../engine/parts/target.ts';
import type { Scene, UpstreamRequest } from '../../../engine/scene.ts';
import type { ErrorCode } from '../../../oracle/error-table.ts';
import { type FaultFacts, verdictOf } from '../../../oracle/faults/fault-facts.ts';
import { rowOfRefusal } from '../../../oracle/faults/fault-rows.ts';
import type { RouteProfile } from '../../../profile/profile.ts';
import { must, Untestable } from '../../../rules/violation.ts';
import type { Exchange } from '../../../wire/exchange.ts';
import type { LiveExchange } from '../../../wire/live-exchange.ts';

/** An outage of the catalogue as a check: the rows that it proves, and how it is gone through. */
export interface Outage {
  readonly id: string;
  readonly requirements: Check['requirements'];
  readonly needs: readonly Fact[];
  readonly judge: (parts: CheckParts, facts: FaultFacts) => Promise<void>;
}

/** One call in the middle of an outage. */
export interface Call {
  readonly model: string;
  readonly exchange: Exchange;
  /** The channels that it reached, in their order. */
  readonly asked: readonly string[];
  /** The code of a refusal; null for a good answer. */
  readonly code: string | null;
}

/** What is wrong with calls of an outage, wherever it shows. */
const manyAttempts = { requirement: 'ROUTE-004', aspect: 'fault-attempts' } as const;

/** How far on either side of the end of a time that is waited for a call is made, ms. */
export const marginMs = 1_000;

/** Attempts of one call: two for its model (reading B-106). */
const maxAttempts = 2;

/** Starts the scenario of the outage for the tenant. The scene ends it. */
export async function begin(newScene: () => Scene, facts: FaultFacts): Promise<Scene> {
  if (facts.scenario === undefined) throw new Error(`${facts.id} has no scenario`);
  const scene = newScene();
  await scene.play(facts.scenario);
  return scene;
}

/** Makes one call, and judges what holds of every call in an outage: a good answer or one of its codes, and few attempts. */
export async function call(parts: CheckParts, facts: FaultFacts, model: string): Promise<Call> {
  const { live, finish } = openCall(parts, facts, model);
  await live.done;
  return finish();
}

/** The same, with the caller's way to let time pass before it is over. */
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

/** Calls until one is refused without an upstream call; at most `max`. The last one says how it ended. */
export async function callUntilOpen(
  parts: CheckParts,
  facts: FaultFacts,
  model: string,
  max: number,
): Promise<Call> {
  for (let made = 1; ; made += 1) {
    const last = await call(parts, facts, model);
    if (last.asked.length === 0) return last;
    must(made < max, {
      requirement: 'ROUTE-009',
      aspect: 'fault-opens',
      expected: `a call that asks no upstream, after ${max} that failed`,
      actual: `call ${made} asks ${last.asked.join(', ')}`,
      exchange: last.exchange,
    });
  }
}

/** Judges that a call asked no upstream. */
export function judgeUnasked(
  { exchange, asked }: Call,
  rule: { readonly requirement: string; readonly aspect: string },
  when: string,
): void {
  must(asked.length === 0, {
    ...rule,
    expected: `no upstream request ${when}`,
    actual: asked.join(', '),
    exchange,
  });
}

/** A model with two equal channels, drawn by seed. */
export function anyPair(target: Target): RouteProfile {
  const pairs = (target.profile.upstream?.routes ?? []).filter(({ kind }) => kind === 'pair');
  if (pairs.length === 0) throw new Untestable('upstream.routes.pair');
  return target.draw(pairs);
}

/** How long a breaker stays open, ms: the first time, and the next one. */
export function coolDowns(target: Target): readonly [number, number] {
  const [first = 30_000, next = first] = target.profile.upstream?.breaker?.cool_down_ms ?? [];
  return [first, next];
}

/** More failing calls than open any breaker that the deployment declares. */
export function maxUntilOpen(target: Target): number {
  const breaker = target.profile.upstream?.breaker;
  return Math.max(breaker?.consecutive_failures ?? 5, breaker?.window_least ?? 10) + 2;
}

/**
 * Whether a request only repeats the one before it, whose connection broke without a byte: one that had been kept may
 * have been dead, and to send once more on a new one is no attempt of its own (fault T9).
 */
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
  must(asked.length <= maxAttempts, {
    ...manyAttempts,
    expected: `at most ${maxAttempts} upstream requests`,
    actual: String(asked.length),
    exchange,
    upstream,
  });
  if (exchange.response?.status === 200) {
    judge.completed(exchange, { requirement: 'RESP-023', aspect: 'fault-survived', model });
    return { ...made, code: null };
  }
  const allowed: readonly ErrorCode[] =
    asked.length > 0 ? codes : codes.filter((code) => code.startsWith('channel_'));
  const requirement = rowOfRefusal({ codes: allowed });
  const { code } = judge.refused(exchange, { requirement, aspect: 'fault-code', codes: allowed });
  return { ...made, code };
}
