import { SimulatorControl } from '../../simulators/control/client.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import { createStackClock, type StackClock } from './clock-control.ts';
import { ClockLock } from './clock-lock.ts';
import { LanePool } from './lane-pool.ts';
import type { JobTarget } from './run-input.ts';
import { Untestable } from './violation.ts';

/** What the targets of one stack share while a run lasts. */
export interface StackState {
  readonly clockLock: ClockLock;
  readonly simulators: SimulatorControl | null;
}

/** What belongs to one target alone. */
export interface TargetState {
  readonly client: WireClient;
  /** Its own clock together with the simulators': gateways that share a stack do not share their time. */
  readonly clock: StackClock | null;
  readonly lanes: LanePool;
  /** Counts one exchange against the budget. @throws Untestable when the budget is spent. */
  readonly spend: () => void;
}

/** Keeps the state of stacks and targets for the length of one run, and ends it. */
export class RunState {
  readonly #stacks = new Map<string, StackState>();
  readonly #targets = new Map<string, TargetState>();
  readonly #pools = new Map<string, LanePool>();
  readonly #endings: (() => Promise<void>)[] = [];

  stackOf(target: JobTarget): StackState {
    const known = this.#stacks.get(target.stack);
    if (known) return known;
    const simulators = target.profile.upstream ? new SimulatorControl(target.profile.upstream.control) : null;
    if (simulators) this.#endings.push(() => simulators.close());
    const state: StackState = { clockLock: new ClockLock(), simulators };
    this.#stacks.set(target.stack, state);
    return state;
  }

  targetOf(target: JobTarget): TargetState {
    const known = this.#targets.get(target.id);
    if (known) return known;
    const client = createWireClient(target.profile);
    const clock = createStackClock(target.profile);
    this.#endings.push(() => client.close());
    if (clock) this.#endings.push(clock.close);
    let left = target.profile.budget.exchanges ?? Number.POSITIVE_INFINITY;
    const spend = (): void => {
      if (left < 1)
        throw new Untestable(
          `budget.exchanges: all ${target.profile.budget.exchanges} exchanges of the budget are spent`,
        );
      left -= 1;
    };
    const state: TargetState = {
      client,
      clock: clock?.clock ?? null,
      lanes: this.#poolOf(target),
      spend,
    };
    this.#targets.set(target.id, state);
    return state;
  }

  #poolOf(target: JobTarget): LanePool {
    const pool = this.#pools.get(target.pool) ?? new LanePool(target.profile);
    this.#pools.set(target.pool, pool);
    return pool;
  }

  async close(): Promise<void> {
    await Promise.all(this.#endings.map((end) => end()));
  }
}
