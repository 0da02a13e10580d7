import { SimulatorControl } from 'gatecheck-simulators/client';
import { mostBytes, readWithin } from '../process/read-file.ts';
import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { countWhile } from '../values/count-while.ts';
import { callHook } from './call-hook.ts';
import type { SharedClock } from './lockstep.ts';

/** The time of one clock of a stack and its next due timer, ms since the epoch; null when no timer is set. */
export interface ClockReading {
  readonly now_ms: number;
  readonly next_due_ms: number | null;
}

interface Hand {
  read(): Promise<ClockReading>;
  advance(ms: number): Promise<ClockReading>;
}

/** A move of the clocks: when we made it, and how far ahead the deployment's clock was before and after. */
interface Jump {
  readonly beganMs: number;
  readonly endedMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** A difference between two clocks of a stack that is more than a slow answer of one of them, ms. */
const apartMs = 1_000;

/** How much less than requested a clock may move because of rounding or several processes, ms. */
const roundedMs = 100;

/** How far the deployment's clock is moved alone as a test, ms. */
const trialMs = 500;

/** How many moves are remembered: more than the checks that share the clocks at a time need. */
const maxJumps = 50_000;

/**
 * The clocks of a whole stack, moved together. A jump stops at every due time of every process and never skips
 * one. So an answer due at 25 s cannot change places with a timeout at 30 s.
 */
export class StackClock {
  readonly #hands: readonly [Hand, ...Hand[]];
  readonly #jumps: Jump[] = [];
  #aheadMs = 0;
  /** The last reading of the deployment's clock; null before the first reading. */
  #shownMs: number | null = null;
  /** Whether it moved as requested. */
  #obeys = false;

  /** @param hands the deployment's own clock first, then the clocks of the simulators. */
  constructor(hands: readonly [Hand, ...Hand[]]) {
    this.#hands = hands;
  }

  /**
   * How far the deployment's clock was ahead of ours at the last reading, ms. Its timestamps are judged by its own
   * time.
   */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Moves all clocks by `ms` together, stopping at each due effect. */
  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; ) left -= await this.step(left);
  }

  /**
   * Moves all clocks together to the next due effect, or first to just before it, by `mostMs` at most.
   * @returns by how much, ms
   */
  async step(mostMs: number): Promise<number> {
    const readings = await Promise.all(this.#hands.map((hand) => hand.read()));
    this.#shownMs = readings[0]?.now_ms ?? null;
    const waits = readings.map((reading) =>
      reading.next_due_ms === null ? Number.POSITIVE_INFINITY : reading.next_due_ms - reading.now_ms,
    );
    const dueMs = Math.max(1, Math.ceil(Math.min(...waits)));
    // Clocks do not move at exactly the same moment, so a due timer must not fire while another clock is far behind.
    const isFarJump = dueMs <= mostMs && dueMs > apartMs;
    const step = isFarJump ? dueMs - apartMs : Math.min(mostMs, dueMs);
    await this.leap(step);
    return step;
  }

  /**
   * Moves all clocks by `ms` at once. Due timers fire in order within each process, but in no order between processes.
   * @throws Untestable when the deployment's clock stays behind, because waiting checks would blame the gateway.
   */
  async leap(ms: number): Promise<void> {
    const [beforeMs, shownMs] = [this.#aheadMs, this.#shownMs];
    const beganMs = Date.now();
    const [deployment, ...others] = this.#hands;
    // Before its first successful move, the deployment's clock moves alone by a small step. If it is stuck, the others stay.
    // The step is small, because its effects must not reach upstreams that are still at the old time.
    const triedMs = this.#obeys ? 0 : Math.min(ms, trialMs);
    if (triedMs > 0) hasMoved(await deployment.advance(triedMs), shownMs, triedMs);
    const own =
      triedMs < ms
        ? deployment.advance(ms - triedMs).then((reading) => hasMoved(reading, shownMs, ms))
        : deployment.read();
    await Promise.all([
      own.then((reading) => this.#note(reading)),
      ...others.map((hand) => hand.advance(ms)),
    ]);
    this.#obeys = true;
    this.#jumps.push({ beganMs, endedMs: Date.now(), beforeMs, afterMs: this.#aheadMs });
    if (this.#jumps.length > maxJumps) this.#jumps.shift();
  }

  /**
   * Reads every clock, which proves that the hooks answer and shows how far ahead they are.
   * @returns whether all show about the same time. Another gateway on the same simulators may have moved theirs.
   */
  async ping(): Promise<boolean> {
    const ahead = await this.#readAhead();
    return Math.max(...ahead) - Math.min(...ahead) <= apartMs;
  }

  /** Moves each clock that is behind to the time of the one that is furthest ahead. The next ping shows the result. */
  async align(): Promise<void> {
    const ahead = await this.#readAhead();
    const furthest = Math.max(...ahead);
    await Promise.all(
      this.#hands.map((hand, index) => {
        const behindMs = Math.round(furthest - (ahead[index] ?? furthest));
        return behindMs > apartMs ? hand.advance(behindMs) : null;
      }),
    );
  }

  /** How far each clock is ahead of ours, ms. Each is read at its own moment: a gateway with work answers late. */
  #readAhead(): Promise<number[]> {
    return Promise.all(
      this.#hands.map(async (hand, place) => {
        const reading = await hand.read();
        const aheadMs = reading.now_ms - Date.now();
        if (place === 0) this.#note(reading);
        return aheadMs;
      }),
    );
  }

  /** The deployment's time at a time of ours: a range, because the clock may have been moving just then. */
  timeAt(realMs: number): { readonly min: number; readonly max: number } {
    const next = this.#jumpAfter((jump) => jump.beganMs > realMs);
    const last = this.#jumps[next - 1];
    // Moves do not overlap, so only the last started one can be in progress.
    if (last !== undefined && realMs <= last.endedMs)
      return { min: realMs + last.beforeMs, max: realMs + last.afterMs };
    const aheadMs = this.#jumps[next]?.beforeMs ?? this.#aheadMs;
    return { min: realMs + aheadMs, max: realMs + aheadMs };
  }

  /** The time of ours at which the deployment's clock showed a time: a range, where it was moved over it. */
  realAt(shownMs: number): { readonly min: number; readonly max: number } {
    const next = this.#jumpAfter((jump) => jump.beganMs + jump.beforeMs >= shownMs);
    const last = this.#jumps[next - 1];
    if (last !== undefined && shownMs <= last.endedMs + last.afterMs)
      return { min: last.beganMs, max: last.endedMs };
    const real = shownMs - (this.#jumps[next]?.beforeMs ?? this.#aheadMs);
    return { min: real, max: real };
  }

  /** The index of the first move that satisfies `isLater`; the number of moves if none does. */
  #jumpAfter(isLater: (jump: Jump) => boolean): number {
    return countWhile(this.#jumps, (jump) => !isLater(jump));
  }

  /** Call as soon as the deployment has answered: what passes until then counts as a lag of its clock. */
  #note(reading: ClockReading): void {
    this.#shownMs = reading.now_ms;
    this.#aheadMs = reading.now_ms - Date.now();
  }
}

/** @throws Untestable when a clock has moved less than requested. */
function hasMoved(reading: ClockReading, shownMs: number | null, ms: number): ClockReading {
  const movedMs = shownMs === null ? ms : reading.now_ms - shownMs;
  if (movedMs >= ms - roundedMs) return reading;
  throw new Untestable(`the clock hook answered, but its clock moved by ${movedMs} ms instead of ${ms} ms`);
}

/**
 * The time of a stack that checks share: our clock plus all moves. It needs no call of a hook, which may answer late.
 */
export class StackTime implements SharedClock {
  readonly #clock: Pick<StackClock, 'step'>;
  #movedMs = 0;

  constructor(clock: Pick<StackClock, 'step'>) {
    this.#clock = clock;
  }

  now(): number {
    return performance.now() + this.#movedMs;
  }

  async pass(ms: number): Promise<void> {
    this.#movedMs += await this.#clock.step(Math.ceil(ms));
  }
}

/**
 * The clock of the deployment that a profile declares, together with its simulators' clocks. Null without the
 * hook.
 */
export function createStackClock(profile: Profile): { clock: StackClock; close: () => Promise<void> } | null {
  const hook = profile.hooks.clock;
  if (hook === undefined || profile.upstream === undefined) return null;
  const simulators = controlOf(profile, profile.upstream);
  const clock = new StackClock([
    { read: () => callClock(hook), advance: (ms) => callClock(hook, { advance_ms: ms }) },
    { read: () => simulators.clock(), advance: (ms) => simulators.advance(ms) },
  ]);
  return { clock, close: () => simulators.close() };
}

async function callClock(hook: { url: string; token: string }, body?: object): Promise<ClockReading> {
  const call = { name: 'clock', ...hook, shape: 'hooks/clock' as const };
  return JSON.parse(await callHook({ ...call, ...(body === undefined ? {} : { body }) })) as ClockReading;
}

/** A client of the control API of the simulators that a profile declares, with the token and certificates it needs. */
export function controlOf(
  { tls: { ca } }: Pick<Profile, 'tls'>,
  { control, token }: Pick<NonNullable<Profile['upstream']>, 'control' | 'token'>,
): SimulatorControl {
  return new SimulatorControl(control, {
    ...(token === undefined ? {} : { token }),
    ...(ca === undefined || !control.startsWith('https:')
      ? {}
      : { ca: readWithin(ca, mostBytes.pem).toString('utf8') }),
  });
}
