import { replyOf } from '../control/disturbance.ts';
import type { Pacing, Reply } from '../control/protocol.ts';
import type { Behaviour, FaultShare, ScenarioChannel } from '../control/scenario.ts';
import { misfitOf } from '../fault-contract/known-faults.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import { selects } from '../requests/selectors.ts';
import type { Draws } from './draws.ts';
import { type CurrentPhase, Timeline } from './timeline.ts';
import { TokenBucket } from './token-bucket.ts';

/** The effect of a scenario on a request. */
export interface ScenarioEffect {
  /** The disturbance; null when the request passes undisturbed. */
  readonly disturbance: { readonly part: string; readonly reply: Reply } | null;
  readonly latency: Pacing | undefined;
}

/** The run of a scenario on one channel of a tenant. */
export class ChannelRun {
  readonly #channel: ScenarioChannel;
  readonly #beganAtMs: number;
  readonly #timeline: Timeline;
  /** The counters of one phase; each phase starts with new ones. */
  #counts: { readonly since: string; requests: number; bucket: TokenBucket | null };

  constructor(channel: ScenarioChannel, beganAtMs: number) {
    this.#channel = channel;
    this.#beganAtMs = beganAtMs;
    this.#timeline = new Timeline(channel, beganAtMs);
    this.#counts = { since: '', requests: 0, bucket: null };
  }

  phaseAt(nowMs: number): CurrentPhase | null {
    return this.#timeline.at(nowMs);
  }

  step(nowMs: number): void {
    this.#timeline.step(nowMs);
  }

  effectOn(request: RequestFacts, draws: Draws, nowMs: number): ScenarioEffect {
    const current = this.#timeline.at(nowMs);
    const behaviour: Behaviour = { ...this.#channel, ...current?.phase };
    this.#beginCounts(current);
    const disturbance =
      this.#outage(nowMs) ??
      this.#flapping(behaviour) ??
      this.#capacity(behaviour, nowMs) ??
      this.#share(behaviour, request, draws, progressOf(current, nowMs));
    return { disturbance, latency: behaviour.latency };
  }

  #beginCounts(current: CurrentPhase | null): void {
    const since = current === null ? '' : `${current.index} ${current.sinceMs}`;
    if (since !== this.#counts.since) this.#counts = { since, requests: 0, bucket: null };
  }

  #outage(nowMs: number): ScenarioEffect['disturbance'] {
    const atMs = nowMs - this.#beganAtMs;
    const outages = this.#channel.outages ?? [];
    const index = outages.findIndex(
      ({ from_ms: from, until_ms: until = Infinity }) => from <= atMs && atMs < until,
    );
    const outage = outages[index];
    return outage === undefined ? null : { part: `outages[${index}]`, reply: replyOf(outage) };
  }

  #flapping({ flapping }: Behaviour): ScenarioEffect['disturbance'] {
    if (flapping === undefined) return null;
    const at = this.#counts.requests % (flapping.ok + flapping.failing);
    this.#counts.requests += 1;
    return at < flapping.ok ? null : { part: 'flapping', reply: replyOf(flapping) };
  }

  #capacity({ capacity }: Behaviour, nowMs: number): ScenarioEffect['disturbance'] {
    if (capacity === undefined) return null;
    const { per_second: perSecond, burst = 1 } = capacity;
    this.#counts.bucket ??= new TokenBucket({ perSecond, burst }, nowMs);
    return this.#counts.bucket.take(nowMs) ? null : { part: 'capacity', reply: replyOf(capacity) };
  }

  /** One draw decides among all shares: each share owns its own part of the range from 0 to 1. */
  #share(
    behaviour: Behaviour,
    request: RequestFacts,
    draws: Draws,
    progress: number,
  ): ScenarioEffect['disturbance'] {
    const faults = behaviour.faults ?? [];
    const meant = faults.filter((given) => applies(given, request));
    if (meant.length === 0) return null;
    const drawn = draws.unit('share');
    let end = 0;
    for (const share of meant) {
      end += rateOf(share, progress);
      if (drawn < end) return { part: `faults[${faults.indexOf(share)}]`, reply: replyOf(share) };
    }
    return null;
  }
}

/** A share applies only where its fault exists in the dialect and kind of the call. */
function applies(share: FaultShare, request: RequestFacts): boolean {
  if (share.when !== undefined && !selects(share.when, request)) return false;
  const { kind } = request;
  const { fault } = replyOf(share);
  return fault === undefined || kind === null || misfitOf(fault, kind.dialect, kind.call) === null;
}

function rateOf({ rate = 1 }: FaultShare, progress: number): number {
  return typeof rate === 'number' ? rate : rate.from + (rate.to - rate.from) * progress;
}

/** The elapsed part of a timed phase, from 0 to 1. */
function progressOf(current: CurrentPhase | null, nowMs: number): number {
  const forMs = current?.phase.for_ms;
  return current === null || forMs === undefined ? 0 : Math.min(1, (nowMs - current.sinceMs) / forMs);
}
