import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { BreakerLimits } from '../config.ts';
import type { Gone } from '../gone.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';
import { AccountDoubt, type ProbeResult } from './account-doubt.ts';
import type { Breaker, BreakerState } from './breaker.ts';
import { type CallTracker, trackCall } from './call-tracker.ts';
import { Capacity } from './capacity.ts';
import type { Channel, LiveChannelFacts } from './channel.ts';
import type { ChannelReport, SendReport } from './channel-report.ts';
import { failurePolicy } from './failure-policy.ts';
import { type Condition, type GateChanged, Gates, type Passed, whose } from './gates.ts';
import { type CallKind, Health, type HealthClass } from './health.ts';
import { accountIn, blamed, type Witness } from './witness.ts';

/** Dependencies that all channels of one gateway share. */
export interface LiveChannelDeps {
  /** Maximum duration of a call in milliseconds. */
  readonly maxCallMs: number;
  readonly breaker: BreakerLimits;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Reports to the other processes on the database; absent where there are none. */
  readonly report?: SendReport | undefined;
  /** Sends a minimal request of the gateway itself. Null for a channel that cannot be probed. */
  readonly probe?: ((live: LiveChannel) => Promise<ProbeResult | null>) | undefined;
}

/** A call that a channel has admitted. */
export interface TrackedCall {
  readonly live: LiveChannel;
  readonly tracker: CallTracker;
}

/** How long a failed prompt count must take to pause prompt counts at the upstream, and how long the pause is, ms. */
const [slowCountMs, countPauseMs] = [1_000, 30_000];
/** For this long, failures on stale connections do not count. Later ones count against the channel. */
const staleForgivenMs = 5_000;
/** How long to wait for the probe of another process, which may have died. */
const othersProbeMs = 60_000;

/** One channel of one model, with its state: breaker, cool-down, health, calls in flight and in its queue. */
export class LiveChannel {
  readonly facts: LiveChannelFacts;
  readonly #clock: Clock;
  readonly #maxCallMs: number;
  readonly #gates: Gates;
  readonly #capacity: Capacity;
  readonly #health = new Health();
  readonly #report: (report: ChannelReport) => void;
  /** Resolves when the latest report has been sent to other processes; null without other processes. */
  reported: Promise<void> | null = null;
  /** Whether a report of another process is being applied, which is not reported back. */
  #isLearning = false;
  #isDrained = false;
  readonly #doubt: AccountDoubt;
  /** When the first call since the last success failed on a stale connection; null if none did. */
  #staleSinceMs: number | null = null;
  #countAgainAtMs = 0;

  constructor(facts: LiveChannelFacts, { breaker, clock, log, maxCallMs, report, probe }: LiveChannelDeps) {
    this.facts = facts;
    this.#clock = clock;
    this.#maxCallMs = maxCallMs;
    this.#doubt = new AccountDoubt({
      clock,
      probe: probe === undefined ? null : () => probe(this),
      refused: () => this.#gates.all.breaker.refused(clock.monotonic(), 'refused a probe: check api_key'),
      works: () => this.#gates.all.breaker.countSuccess(clock.monotonic()),
    });
    this.#capacity = new Capacity(facts.room, clock);
    const names = { channel: facts.channel.id, model: facts.modelId };
    this.#report = (line) => {
      this.reported = report?.(names.channel, names.model, line) ?? null;
    };
    const changed: GateChanged = ({ from, to, why, opening = 1, forMs = 0 }, by) => {
      log.warn({ ...names, ...(by !== undefined && blamed(by)), from, to, why }, 'breaker');
      if (to === 'closed') this.#health.recovered();
      if (to === 'open' && by === undefined) this.#capacity.sendAway();
      if (this.#isLearning) return;
      if (to === 'open') this.#report({ what: 'opened', opening, forMs, why, ...whose({ by }) });
      if (to === 'closed') this.#report({ what: 'closed', ...whose({ by }) });
    };
    this.#gates = new Gates(breaker, facts.isShared, changed);
  }

  get channel(): Channel {
    return this.facts.channel;
  }

  get inFlight(): number {
    return this.#capacity.inFlight;
  }

  get breakerState(): BreakerState {
    return this.#gates.state(this.#clock.monotonic());
  }

  get isDrained(): boolean {
    return this.#isDrained;
  }

  /** A drained channel takes no new call and dismisses its queue; calls in flight continue. */
  setDrained(isDrained: boolean): void {
    this.#isDrained = isDrained;
    if (isDrained) this.#capacity.sendAway();
  }

  /** Whether the breaker is closed, so that no probe is needed. */
  get isProven(): boolean {
    return this.#gates.all.breaker.state(this.#clock.monotonic()) === 'closed';
  }

  /** Whether the upstream may be used to count the tokens of a prompt. */
  get countsPrompts(): boolean {
    return this.breakerState === 'closed' && this.#clock.monotonic() >= this.#countAgainAtMs;
  }

  /** Records a failed prompt count; it only matters if it delayed a request for long. */
  countedInVain(afterMs: number): void {
    if (afterMs >= slowCountMs) this.#countAgainAtMs = this.#clock.monotonic() + countPauseMs;
  }

  get waiting(): number {
    return this.#capacity.waiting;
  }

  takesWaiting(witness: Witness = ''): boolean {
    return this.condition(witness).kind === 'full' && this.#capacity.takesWaiting;
  }

  /** For calls of a user; or the worst that anyone meets. */
  condition(witness?: Witness): Condition {
    if (this.#isDrained) return { kind: 'drained' };
    const nowMs = this.#clock.monotonic();
    const closed =
      witness === undefined ? this.#gates.closedToSome(nowMs) : this.#gates.closed(witness, nowMs);
    if (closed !== null) return closed;
    if (!this.#capacity.isFree) return { kind: 'full', waitMs: 0 };
    return { kind: 'free', isProbe: this.#gates.isTrial(witness ?? '', nowMs) };
  }

  latencyMs(kind: CallKind): number | null {
    return this.#health.latencyMs(kind, this.#clock.monotonic());
  }

  /** Health compared with the model's fastest channel. Failures from before a cool-down no longer count. */
  health(kind: CallKind, fastestMs: number | null): HealthClass {
    return this.isProven ? this.#health.classify(kind, fastestMs, this.#clock.monotonic()) : 'well';
  }

  /** Starts a call if the channel takes one; null otherwise. */
  begin(kind: CallKind, witness: Witness = ''): TrackedCall | null {
    if (this.condition(witness).kind !== 'free') return null;
    this.#capacity.take();
    return this.#admit(kind, witness);
  }

  /** Waits in the channel's queue and starts a call when it gets a slot; null if it gets none. */
  async beginInQueue(kind: CallKind, gone: Gone, witness: Witness = ''): Promise<TrackedCall | null> {
    return (await this.#capacity.wait(gone)) ? this.#admit(kind, witness) : null;
  }

  /** Applies a report of another process about its calls on this channel. */
  learn(report: ChannelReport): void {
    const nowMs = this.#clock.monotonic();
    const { what } = report;
    const by = 'by' in report ? report.by : undefined;
    const { breaker } = this.#gates.all;
    const own = (): Breaker => (by === undefined ? breaker : this.#gates.own(by, nowMs).breaker);
    this.#isLearning = true;
    if (what === 'busy') this.#cool(by ?? '', nowMs, report.forMs);
    else if (what === 'opened') own().openAlso(nowMs, report.opening, report.forMs, report.why);
    else if (what === 'closed') own().closeAlso();
    else if (what === 'probing') own().leaveProbeTo(nowMs + othersProbeMs);
    else if (what === 'unproven') own().leaveProbeTo(null);
    else if (what === 'served') breaker.countPast(report.before, nowMs);
    else {
      this.#health.ended(what === 'failed', nowMs);
      if (what === 'succeeded') breaker.countSuccess(nowMs);
      else {
        this.#reportBefore(nowMs);
        breaker.countFailure(nowMs, 'in another process', by);
      }
    }
    this.#isLearning = false;
  }

  /** Reports successes that were held back while nothing failed, because the share of failures counts all calls. */
  #reportBefore(nowMs: number): void {
    const { breaker } = this.#gates.all;
    // From the first failure on, every outcome is reported at once.
    if (breaker.hasFailures(nowMs)) return;
    const before = breaker.takeUnreported(nowMs);
    if (before.length > 0) this.#report({ what: 'served', before: before.map(([...pair]) => pair) });
  }

  #cool(by: string, nowMs: number, forMs: number): void {
    this.#gates.cool(by, forMs, nowMs);
    if (this.#gates.all.cooling.isOn(nowMs)) this.#capacity.sendAway();
  }

  /** Admits a call whose slot is already taken. */
  #admit(kind: CallKind, witness: Witness): TrackedCall | null {
    const nowMs = this.#clock.monotonic();
    const passed = this.#isDrained ? null : this.#gates.admit(witness, nowMs);
    if (passed !== null) {
      if (passed.gate.breaker.isProbe(passed.admitted)) this.#report({ what: 'probing', ...whose(passed) });
      return this.#tracker(passed, kind, witness);
    }
    this.#capacity.giveBack();
    return null;
  }

  #tracker(passed: Passed, kind: CallKind, witness: Witness): TrackedCall {
    let ending: (() => void) | null = null;
    const { admitted, pauses } = passed;
    const { breaker } = passed.gate;
    const nowMs = (): number => this.#clock.monotonic();
    const tracker = trackCall(this.#clock, this.#maxCallMs, {
      answered: (waitMs) => {
        for (const pause of pauses) pause.answered(admitted);
        this.#health.waited(kind, waitMs, nowMs());
      },
      flows: () => {
        breaker.proven(admitted);
        this.#gates.served(passed, witness, nowMs());
      },
      succeeded: () => {
        this.#staleSinceMs = null;
        this.#doubt.clear();
        this.#health.ended(false, nowMs());
        const isNews = breaker.counts(admitted) && breaker.hasFailures(nowMs());
        if (isNews) this.#report({ what: 'succeeded' });
        breaker.succeeded(admitted, nowMs(), isNews);
        this.#gates.served(passed, witness, nowMs());
      },
      failed: (failure) => {
        if (failure.isStale && this.#isForgiven()) this.#abandoned(passed);
        else this.#failed(passed, failure, witness);
      },
      abandoned: () => this.#abandoned(passed),
      left: (giveUp) => {
        ending = giveUp;
        this.#capacity.leave(giveUp);
      },
      over: () => {
        for (const pause of pauses) pause.ended(admitted);
        this.#capacity.giveBack(ending);
      },
    });
    return { live: this, tracker };
  }

  /** Whether a failure on a stale connection is ignored: yes, unless no call has succeeded for long. */
  #isForgiven(): boolean {
    const nowMs = this.#clock.monotonic();
    this.#staleSinceMs ??= nowMs;
    return nowMs - this.#staleSinceMs < staleForgivenMs;
  }

  #abandoned(passed: Passed): void {
    const { breaker } = passed.gate;
    if (breaker.isProbe(passed.admitted)) this.#report({ what: 'unproven', ...whose(passed) });
    breaker.abandoned(passed.admitted);
  }

  #failed(passed: Passed, { reason, retryAfterMs }: UpstreamFailure, witness: Witness): void {
    const nowMs = this.#clock.monotonic();
    const { admitted } = passed;
    const { breaker } = passed.gate;
    const { blame } = failurePolicy[reason];
    const isProbe = breaker.isProbe(admitted);
    // On a shared channel, one account's requests do not even prove it when they probe.
    const isProven = isProbe && !this.facts.isShared;
    const isProof = blame !== 'account' || isProven || this.#doubt.confirms(accountIn(witness), reason);
    if (blame === 'nobody' || !isProof) {
      this.#abandoned(passed);
      return;
    }
    this.#health.ended(true, nowMs);
    if (reason === 'busy' && retryAfterMs !== null) {
      this.#cool(witness, nowMs, retryAfterMs);
      this.#report({ what: 'busy', forMs: retryAfterMs, by: witness });
    }
    // An account failure opens the breaker at once, which sends its own report.
    const isAccount = blame === 'account';
    if (!isAccount && breaker.counts(admitted)) {
      this.#reportBefore(nowMs);
      this.#report({ what: 'failed', by: witness });
    }
    breaker.failed(admitted, nowMs, reason, isAccount, witness);
    const isLeft = isProbe && breaker.state(nowMs) === 'half-open';
    if (isLeft) this.#report({ what: 'unproven', ...whose(passed) });
  }
}
