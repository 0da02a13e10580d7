import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { BreakerLimits } from '../config.ts';
import type { Gone } from '../gone.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';
import { AccountDoubt, type ProbeResult } from './account-doubt.ts';
import { type AdmittedCall, Breaker, type BreakerChange, type BreakerState } from './breaker.ts';
import { type CallTracker, trackCall } from './call-tracker.ts';
import { Capacity, type CapacityLimits } from './capacity.ts';
import type { Channel } from './channel.ts';
import type { ChannelReport, SendReport } from './channel-report.ts';
import { Cooling } from './cooling.ts';
import { failurePolicy } from './failure-policy.ts';
import { type CallKind, Health, type HealthClass } from './health.ts';

/** Dependencies that all channels of one gateway share. */
export interface LiveChannelDeps {
  /** Maximum duration of a call in milliseconds. */
  readonly maxCallMs: number;
  readonly breaker: BreakerLimits;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Reports to the other processes on the database; absent where there are none. */
  readonly report?: SendReport | undefined;
  /** Sends a smallest request of our own. Null for a channel that has none. */
  readonly probe?: ((live: LiveChannel) => Promise<ProbeResult | null>) | undefined;
}

export interface LiveChannelFacts {
  readonly channel: Channel;
  /** Our id of the model. */
  readonly modelId: string;
  /** The lowest number is asked first. */
  readonly priority: number;
  /** Share of the traffic among channels of equal rank. */
  readonly weight: number;
  readonly room: CapacityLimits;
}

/** Whether a channel takes a call now. If not: why, and after how many ms at the earliest (0: unknown); drained until told otherwise. */
export type Condition =
  | { readonly kind: 'free'; readonly isProbe: boolean }
  | { readonly kind: 'full' | 'cooling' | 'open'; readonly waitMs: number }
  | { readonly kind: 'drained' };

/** A call that a channel has admitted. */
export interface TrackedCall {
  readonly live: LiveChannel;
  readonly tracker: CallTracker;
}

/** How slow a failed prompt count has to be so that the upstream gets no further one for a pause, and that pause. */
const [slowCountMs, countPauseMs] = [1_000, 30_000];
/** So long calls may end at kept connections that were dead: after it, the channel itself breaks what it is sent. */
const staleForgivenMs = 5_000;
/** How long the probe of another process, which may have died, is waited for. */
const othersProbeMs = 60_000;

/** One channel of one model, with its state: breaker, cool-down, health, calls in flight and in its queue. */
export class LiveChannel {
  readonly facts: LiveChannelFacts;
  readonly #clock: Clock;
  readonly #maxCallMs: number;
  readonly #breaker: Breaker;
  readonly #capacity: Capacity;
  readonly #health = new Health();
  readonly #report: (report: ChannelReport) => void;
  /** Resolves when the other processes have been sent what this one has found; null where there are none. */
  reported: Promise<void> | null = null;
  /** Whether a change comes from another process, which is not reported back. */
  #isLearning = false;
  #isDrained = false;
  readonly #cooling = new Cooling();
  readonly #doubt: AccountDoubt;
  /** When the first call since the last success ended at a dead connection; null when none did. */
  #staleSinceMs: number | null = null;
  #countAgainAtMs = 0;

  constructor(facts: LiveChannelFacts, { breaker, clock, log, maxCallMs, report, probe }: LiveChannelDeps) {
    this.facts = facts;
    this.#clock = clock;
    this.#maxCallMs = maxCallMs;
    this.#doubt = new AccountDoubt({
      clock,
      probe: async () => (await probe?.(this)) ?? null,
      refused: () => this.#breaker.refused(clock.monotonic(), 'our own request was refused, too'),
      works: () => this.#breaker.countSuccess(clock.monotonic()),
    });
    this.#capacity = new Capacity(facts.room, clock);
    const names = { channel: facts.channel.id, model: facts.modelId };
    this.#report = (line) => {
      this.reported = report?.(names.channel, names.model, line) ?? null;
    };
    this.#breaker = new Breaker(breaker, (change: BreakerChange) => {
      const { from, to, why, opening = 1, forMs = 0 } = change;
      log.warn({ ...names, from, to, why }, 'breaker');
      if (to === 'closed') this.#health.recovered();
      if (to === 'open') this.#capacity.sendAway();
      if (this.#isLearning) return;
      if (to === 'open') this.#report({ what: 'opened', opening, forMs, why });
      if (to === 'closed') this.#report({ what: 'closed' });
    });
  }

  get channel(): Channel {
    return this.facts.channel;
  }

  get inFlight(): number {
    return this.#capacity.inFlight;
  }

  get breakerState(): BreakerState {
    return this.#breaker.state(this.#clock.monotonic());
  }

  get isDrained(): boolean {
    return this.#isDrained;
  }

  /** A drained channel takes no new call and dismisses its queue; calls in flight continue. */
  setDrained(isDrained: boolean): void {
    this.#isDrained = isDrained;
    if (isDrained) this.#capacity.sendAway();
  }

  /** The breaker is closed, so the channel need not prove itself with a probe. */
  get isProven(): boolean {
    return this.breakerState === 'closed';
  }

  /** Whether its upstream may be asked to count the tokens of a prompt. */
  get countsPrompts(): boolean {
    return this.isProven && this.#clock.monotonic() >= this.#countAgainAtMs;
  }

  /** Records a failed prompt count; it matters only when it kept a request waiting for long. */
  countedInVain(afterMs: number): void {
    if (afterMs >= slowCountMs) this.#countAgainAtMs = this.#clock.monotonic() + countPauseMs;
  }

  get waiting(): number {
    return this.#capacity.waiting;
  }

  get takesWaiting(): boolean {
    return this.condition().kind === 'full' && this.#capacity.takesWaiting;
  }

  condition(): Condition {
    if (this.#isDrained) return { kind: 'drained' };
    const nowMs = this.#clock.monotonic();
    const coolingMs = this.#cooling.waitMs(nowMs);
    const state = this.#breaker.state(nowMs);
    if (!this.#breaker.admits(nowMs) || (state !== 'closed' && coolingMs > 0)) {
      return { kind: 'open', waitMs: Math.max(this.#breaker.waitMs(nowMs), coolingMs) };
    }
    if (coolingMs > 0) return { kind: 'cooling', waitMs: coolingMs };
    if (!this.#capacity.isFree) return { kind: 'full', waitMs: 0 };
    return { kind: 'free', isProbe: state === 'half-open' || this.#cooling.isOn(nowMs) };
  }

  latencyMs(kind: CallKind): number | null {
    return this.#health.latencyMs(kind, this.#clock.monotonic());
  }

  /** Health compared with the model's fastest channel. Failures from before a cool-down no longer count. */
  health(kind: CallKind, fastestMs: number | null): HealthClass {
    return this.isProven ? this.#health.classify(kind, fastestMs, this.#clock.monotonic()) : 'well';
  }

  /** Starts a call if the channel takes one; null otherwise. */
  begin(kind: CallKind, witness = ''): TrackedCall | null {
    if (this.condition().kind !== 'free') return null;
    this.#capacity.take();
    return this.#admit(kind, witness);
  }

  /** Waits in the channel's queue and starts a call when its turn comes; null when it does not come. */
  async beginInQueue(kind: CallKind, gone: Gone, witness = ''): Promise<TrackedCall | null> {
    return (await this.#capacity.wait(gone)) ? this.#admit(kind, witness) : null;
  }

  /** Takes into account what another process reports about its calls on this channel. */
  learn(report: ChannelReport): void {
    const nowMs = this.#clock.monotonic();
    const { what } = report;
    this.#isLearning = true;
    if (what === 'busy') this.#cool(nowMs, report.forMs);
    else if (what === 'opened') this.#breaker.openAlso(nowMs, report.opening, report.forMs, report.why);
    else if (what === 'closed') this.#breaker.closeAlso();
    else if (what === 'probing') this.#breaker.leaveProbeTo(nowMs + othersProbeMs);
    else if (what === 'unproven') this.#breaker.leaveProbeTo(null);
    else if (what === 'served') this.#breaker.countPast(report.before, nowMs);
    else {
      this.#health.ended(what === 'failed', nowMs);
      if (what === 'succeeded') this.#breaker.countSuccess(nowMs);
      else {
        this.#reportBefore(nowMs);
        this.#breaker.countFailure(nowMs, 'in another process');
      }
    }
    this.#isLearning = false;
  }

  /** Reports successes that were held back while nothing failed: the failure share counts all calls. */
  #reportBefore(nowMs: number): void {
    // Since the first one, all is reported.
    if (this.#breaker.hasFailures(nowMs)) return;
    const before = this.#breaker.takeUnreported(nowMs);
    if (before.length > 0) this.#report({ what: 'served', before: before.map(([...pair]) => pair) });
  }

  #cool(nowMs: number, forMs: number): void {
    this.#cooling.ask(forMs, nowMs);
    this.#capacity.sendAway();
  }

  /** Admits a call whose slot is already taken. */
  #admit(kind: CallKind, witness: string): TrackedCall | null {
    const nowMs = this.#clock.monotonic();
    const isClosed = this.#isDrained || this.#cooling.waitMs(nowMs) > 0;
    const admitted = isClosed ? null : this.#breaker.admit(nowMs);
    if (admitted !== null) {
      this.#cooling.pass(admitted, nowMs);
      if (this.#breaker.isProbe(admitted)) this.#report({ what: 'probing' });
      return this.#tracker(admitted, kind, witness);
    }
    this.#capacity.giveBack();
    return null;
  }

  #tracker(admitted: AdmittedCall, kind: CallKind, witness: string): TrackedCall {
    let ending: (() => void) | null = null;
    const nowMs = (): number => this.#clock.monotonic();
    const tracker = trackCall(this.#clock, this.#maxCallMs, {
      answered: (waitMs) => {
        this.#cooling.answered(admitted);
        this.#health.waited(kind, waitMs, nowMs());
      },
      flows: () => this.#breaker.proven(admitted),
      succeeded: () => {
        this.#staleSinceMs = null;
        this.#doubt.clear();
        this.#health.ended(false, nowMs());
        const isNews = this.#breaker.counts(admitted) && this.#breaker.hasFailures(nowMs());
        if (isNews) this.#report({ what: 'succeeded' });
        this.#breaker.succeeded(admitted, nowMs(), isNews);
      },
      failed: (failure) => {
        if (failure.isStale && this.#isForgiven()) this.#abandoned(admitted);
        else this.#failed(admitted, failure, witness);
      },
      abandoned: () => this.#abandoned(admitted),
      left: (giveUp) => {
        ending = giveUp;
        this.#capacity.leave(giveUp);
      },
      over: () => {
        this.#cooling.ended(admitted);
        this.#capacity.giveBack(ending);
      },
    });
    return { live: this, tracker };
  }

  /** A dead connection says nothing about its upstream, unless nothing else comes of it for long. */
  #isForgiven(): boolean {
    const nowMs = this.#clock.monotonic();
    this.#staleSinceMs ??= nowMs;
    return nowMs - this.#staleSinceMs < staleForgivenMs;
  }

  #abandoned(admitted: AdmittedCall): void {
    if (this.#breaker.isProbe(admitted)) this.#report({ what: 'unproven' });
    this.#breaker.abandoned(admitted);
  }

  #failed(admitted: AdmittedCall, { reason, retryAfterMs }: UpstreamFailure, witness: string): void {
    const nowMs = this.#clock.monotonic();
    const { blame } = failurePolicy[reason];
    const isProof = blame !== 'account' || this.#breaker.isProbe(admitted) || this.#doubt.confirms(witness);
    if (blame === 'nobody' || !isProof) {
      this.#abandoned(admitted);
      return;
    }
    this.#health.ended(true, nowMs);
    if (reason === 'busy' && retryAfterMs !== null) {
      this.#cool(nowMs, retryAfterMs);
      this.#report({ what: 'busy', forMs: retryAfterMs });
    }
    // A failure of the account opens the breaker at once, which is reported then.
    const isAccount = blame === 'account';
    if (!isAccount && this.#breaker.counts(admitted)) {
      this.#reportBefore(nowMs);
      this.#report({ what: 'failed' });
    }
    this.#breaker.failed(admitted, nowMs, reason, isAccount);
  }
}
