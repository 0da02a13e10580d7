import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { BreakerLimits } from '../config.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';
import { type AdmittedCall, Breaker, type BreakerChange, type BreakerState } from './breaker.ts';
import { type CallTracker, trackCall } from './call-tracker.ts';
import { Capacity, type CapacityLimits } from './capacity.ts';
import type { Channel } from './channel.ts';
import { failurePolicy } from './failure-policy.ts';
import { type CallKind, Health, type HealthClass } from './health.ts';

/** What the channels of one gateway share. */
export interface LiveChannelDeps {
  /** No call lasts longer, in milliseconds. */
  readonly maxCallMs: number;
  readonly breaker: BreakerLimits;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

export interface LiveChannelFacts {
  readonly channel: Channel;
  /** Our id of the model. */
  readonly modelId: string;
  /** The lowest is asked first. */
  readonly priority: number;
  /** Share of the traffic among equals. */
  readonly weight: number;
  readonly room: CapacityLimits;
}

/**
 * Whether a channel takes a call now; if not, why, and for how many milliseconds at least (0: nobody knows). Only
 * whoever drained a channel ends that.
 */
export type Condition =
  | { readonly kind: 'free'; readonly isProbe: boolean }
  | { readonly kind: 'full' | 'cooling' | 'open'; readonly waitMs: number }
  | { readonly kind: 'drained' };

/** A call that a channel has let pass. */
export interface TrackedCall {
  readonly live: LiveChannel;
  readonly tracker: CallTracker;
}

/** An upstream that asks to be left alone is, for at least and at most so long. */
const minCoolingMs = 1_000;
const maxCoolingMs = 300_000;
/** A vain count that took so long is not asked for again in this time. */
const slowCountMs = 1_000;
const countPauseMs = 30_000;

/** A channel of one model with everything that its calls have taught us: breaker, cooling, health, calls in flight. */
export class LiveChannel {
  readonly facts: LiveChannelFacts;
  readonly #clock: Clock;
  readonly #maxCallMs: number;
  readonly #breaker: Breaker;
  readonly #capacity: Capacity;
  readonly #health = new Health();
  #isDrained = false;
  #coolUntilMs = 0;
  #countAgainAtMs = 0;

  constructor(facts: LiveChannelFacts, { breaker, clock, log, maxCallMs }: LiveChannelDeps) {
    this.facts = facts;
    this.#clock = clock;
    this.#maxCallMs = maxCallMs;
    this.#capacity = new Capacity(facts.room, clock);
    const names = { channel: facts.channel.id, model: facts.modelId };
    this.#breaker = new Breaker(breaker, (change: BreakerChange) => {
      log.warn({ ...names, ...change }, 'breaker');
      if (change.to === 'closed') this.#health.recovered();
      if (change.to === 'open') this.#capacity.sendAway();
    });
  }

  get channel(): Channel {
    return this.facts.channel;
  }

  get inFlight(): number {
    return this.#capacity.inFlight;
  }

  get breakerState(): BreakerState {
    return this.#breaker.state(this.#clock.now());
  }

  get isDrained(): boolean {
    return this.#isDrained;
  }

  /** A drained channel takes no new call, nor keeps one waiting; those in flight go on. */
  setDrained(isDrained: boolean): void {
    this.#isDrained = isDrained;
    if (isDrained) this.#capacity.sendAway();
  }

  /** Nothing speaks against it: not even that it has yet to prove itself again. */
  get isProven(): boolean {
    return this.breakerState === 'closed';
  }

  /** Whether its upstream may be asked to count a prompt. */
  get countsPrompts(): boolean {
    return this.isProven && this.#clock.now() >= this.#countAgainAtMs;
  }

  /** A count did not come; only those that kept a request waiting have a consequence. */
  countedInVain(afterMs: number): void {
    if (afterMs >= slowCountMs) this.#countAgainAtMs = this.#clock.now() + countPauseMs;
  }

  /** Requests in its queue. */
  get waiting(): number {
    return this.#capacity.waiting;
  }

  get takesWaiting(): boolean {
    return this.condition().kind === 'full' && this.#capacity.takesWaiting;
  }

  condition(): Condition {
    if (this.#isDrained) return { kind: 'drained' };
    const nowMs = this.#clock.now();
    const coolingMs = Math.max(0, this.#coolUntilMs - nowMs);
    const state = this.#breaker.state(nowMs);
    if (!this.#breaker.admits(nowMs) || (state !== 'closed' && coolingMs > 0)) {
      return { kind: 'open', waitMs: Math.max(this.#breaker.waitMs(nowMs), coolingMs) };
    }
    if (coolingMs > 0) return { kind: 'cooling', waitMs: coolingMs };
    if (!this.#capacity.isFree) return { kind: 'full', waitMs: 0 };
    return { kind: 'free', isProbe: state === 'half-open' };
  }

  latencyMs(kind: CallKind): number | null {
    return this.#health.latencyMs(kind, this.#clock.now());
  }

  /** How it does beside the fastest channel of its model. What has served its cool-down is not held to its past. */
  health(kind: CallKind, fastestMs: number | null): HealthClass {
    return this.isProven ? this.#health.classify(kind, fastestMs, this.#clock.now()) : 'well';
  }

  /** Begins a call when the channel takes one; null otherwise. */
  begin(kind: CallKind): TrackedCall | null {
    if (this.condition().kind !== 'free') return null;
    this.#capacity.take();
    return this.#admit(kind);
  }

  /** Waits in the channel's queue, and begins a call when its turn comes; null when it does not. */
  async beginInQueue(kind: CallKind, gone: AbortSignal): Promise<TrackedCall | null> {
    return (await this.#capacity.wait(gone)) ? this.#admit(kind) : null;
  }

  /** With the room already taken. */
  #admit(kind: CallKind): TrackedCall | null {
    const isClosed = this.#isDrained || this.#coolUntilMs > this.#clock.now();
    const passage = isClosed ? null : this.#breaker.admit(this.#clock.now());
    if (passage !== null) return this.#tracker(passage, kind);
    this.#capacity.giveBack();
    return null;
  }

  #tracker(passage: AdmittedCall, kind: CallKind): TrackedCall {
    const nowMs = (): number => this.#clock.now();
    const tracker = trackCall(this.#clock, this.#maxCallMs, {
      answered: (waitMs) => this.#health.waited(kind, waitMs, nowMs()),
      flows: () => this.#breaker.proven(passage),
      succeeded: () => {
        this.#health.ended(false, nowMs());
        this.#breaker.succeeded(passage, nowMs());
      },
      failed: (failure) => this.#failed(passage, failure, nowMs()),
      abandoned: () => this.#breaker.abandoned(passage),
      over: () => this.#capacity.giveBack(),
    });
    return { live: this, tracker };
  }

  #failed(passage: AdmittedCall, { reason, retryAfterMs }: UpstreamFailure, nowMs: number): void {
    const { blame } = failurePolicy[reason];
    if (blame === 'nobody') {
      this.#breaker.abandoned(passage);
      return;
    }
    this.#health.ended(true, nowMs);
    if (reason === 'busy' && retryAfterMs !== null) {
      const forMs = Math.min(Math.max(retryAfterMs, minCoolingMs), maxCoolingMs);
      this.#coolUntilMs = Math.max(this.#coolUntilMs, nowMs + forMs);
      this.#capacity.sendAway();
    }
    this.#breaker.failed(passage, nowMs, reason, blame === 'account');
  }
}
