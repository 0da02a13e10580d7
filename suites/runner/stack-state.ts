import type { SimulatorControl } from 'gatecheck-simulators/client';
import { controlOf, createStackClock, type StackClock, StackTime } from '../engine/clock-control.ts';
import { ForeignTraffic } from '../engine/foreign-traffic.ts';
import { Lockstep } from '../engine/lockstep.ts';
import type { ReachedReceiver } from '../engine/parts/webhooks.ts';
import type { Semaphore } from '../engine/semaphore.ts';
import { ServedCalls } from '../engine/served-calls.ts';
import { SlotWatch } from '../engine/slot-watch.ts';
import type { WayName } from '../engine/way-of.ts';
import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import { ReceiverControl } from '../receiver/client.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import { ChannelRecovery } from './channel-recovery.ts';
import { ClockLock } from './clock-lock.ts';
import { createRecovery } from './create-recovery.ts';
import { lookMs, Presence } from './presence.ts';
import type { RunBudget } from './run-budget.ts';
import type { JobTarget } from './run-input.ts';
import { TenantPool } from './tenant-pool.ts';

/** What the targets of one stack share during a run. */
export interface StackState {
  readonly clockLock: ClockLock;
  readonly simulators: SimulatorControl | null;
  /** Where events arrive, determined once; null without a receiver. */
  readonly receiver: () => Promise<ReachedReceiver | null>;
}

/** The clocks of one gateway and its simulators, and the checks that move them together. Each gateway has its own time. */
export interface MovableTime {
  readonly clock: StackClock;
  readonly lockstep: Lockstep;
}

/** What belongs to one target only. */
export interface TargetState {
  readonly client: WireClient;
  /** The movable time of its gateway and of the simulators; null when the clocks cannot be moved. */
  readonly time: MovableTime | null;
  readonly tenants: TenantPool;
  /** The degraded tenants of its gateway; null without simulated upstreams that checks could script to fail. */
  readonly channelRecovery: ChannelRecovery | null;
  readonly budget: RunBudget;
  /** The recently served calls of its gateway. */
  readonly served: ServedCalls;
  /** The endpoints on which a plain call was served so far in the run. */
  readonly waysServed: Set<WayName>;
  /** The slots of its users. */
  readonly slots: SlotWatch;
  /** The semaphores of calls in flight by user, when checks share an account; null when each has its own. */
  readonly inFlight: Map<string, Semaphore> | null;
  /** Whether it is reachable; null when the run does not wait for it. */
  readonly presence: Presence | null;
  /** Foreign traffic on its account; null when only the run uses its tenants. */
  readonly traffic: ForeignTraffic | null;
}

/** Keeps the state of stacks and targets during one run, and closes it. */
export class RunState {
  readonly #stacks = new Map<string, StackState>();
  readonly #targets = new Map<string, TargetState>();
  readonly #pools = new Map<string, TenantPool>();
  readonly #times = new Map<string, MovableTime | null>();
  readonly #channelRecoveries = new Map<string, ChannelRecovery>();
  readonly #served = new Map<string, ServedCalls>();
  readonly #traffics: ForeignTraffic[] = [];
  readonly #endings: (() => Promise<void>)[] = [];
  /** The shared budget of all targets. */
  readonly budget: RunBudget;
  readonly #moving: () => number;
  readonly #waits: boolean;

  /**
   * @param moving how many of the checks that move a clock together work at once
   * @param waits whether the run waits for a target that becomes unreachable
   */
  constructor(budget: RunBudget, moving: () => number, waits: boolean) {
    this.budget = budget;
    this.#moving = moving;
    this.#waits = waits;
  }

  stackOf(target: JobTarget): StackState {
    const known = this.#stacks.get(target.stack);
    if (known) return known;
    const { profile } = target;
    const simulators = profile.upstream ? controlOf(profile, profile.upstream) : null;
    if (simulators) this.#endings.push(() => simulators.close());
    const state: StackState = {
      clockLock: new ClockLock(),
      simulators,
      receiver: this.#receiverOf(profile),
    };
    this.#stacks.set(target.stack, state);
    return state;
  }

  targetOf(target: JobTarget): TargetState {
    const known = this.#targets.get(target.id);
    if (known) return known;
    const wire = createWireClient(target.profile, { learns: true });
    const presence = this.#waits ? this.#presenceOf(target, this.budget.counted(wire)) : null;
    const client = this.budget.counted(presence?.watched(wire) ?? wire);
    const time = this.#timeOf(target);
    this.#endings.push(async () => {
      presence?.close();
      await client.close();
    });
    const traffic = target.profile.tenants.length > 0 ? null : this.#newTraffic(target.refusedBefore);
    const state: TargetState = {
      client,
      time,
      tenants: this.#poolOf(target),
      channelRecovery: this.#channelRecoveryOf(target, time),
      budget: this.budget,
      served: this.#servedBy(target),
      waysServed: new Set(),
      slots: new SlotWatch(traffic),
      inFlight: target.profile.tenants.length > 0 ? null : new Map(),
      traffic,
      presence,
    };
    this.#targets.set(target.id, state);
    return state;
  }

  #presenceOf({ profile }: JobTarget, client: WireClient): Presence {
    const key = (profile.tenants[0] ?? profile).keys.K1;
    const headers = { authorization: `Bearer ${key}` };
    const call = { method: 'GET', path: '/api/v1/models', headers, label: 'is it there?', timeoutMs: lookMs };
    return new Presence({ ask: () => client.send(call), end: (sentence) => this.budget.endBy(sentence) });
  }

  /** The time of a target's gateway. Several targets may share a gateway, and moving its clock affects all of them. */
  #timeOf(target: JobTarget): MovableTime | null {
    const gateway = gatewayOf(target);
    const known = this.#times.get(gateway);
    if (known !== undefined) return known;
    const made = createStackClock(target.profile);
    if (made !== null) this.#endings.push(made.close);
    const time = made === null ? null : this.#movable(made.clock);
    this.#times.set(gateway, time);
    return time;
  }

  #movable(clock: StackClock): MovableTime {
    return { clock, lockstep: new Lockstep(new StackTime(clock), this.#moving) };
  }

  /** How often foreign traffic was seen on an account of the run. */
  get sightings(): number {
    return this.#traffics.reduce((sum, traffic) => sum + traffic.sightings, 0);
  }

  /** Sentences about the run that readers of the report need. */
  get notices(): readonly string[] {
    const ofTargets = [...this.#targets.values()].flatMap(({ presence }) => presence?.notice ?? []);
    const paces = [...this.#targets.values()].flatMap(({ client }) => client.pace?.notice ?? []);
    return [
      ...ofTargets,
      ...new Set(paces),
      ...this.#traffics.flatMap((traffic) => traffic.sentence() ?? []),
    ];
  }

  #receiverOf({ webhooks }: Profile): StackState['receiver'] {
    const { receiver } = webhooks;
    if (receiver === undefined || !('control' in receiver)) return () => Promise.resolve(null);
    const control = new ReceiverControl(receiver.control, receiver.token);
    this.#endings.push(() => control.close());
    let reached: Promise<ReachedReceiver> | null = null;
    return () => {
      reached ??= control.health().then((health) => ({
        control,
        baseUrl: health.url,
        canaryUrl: health.canary_url,
        untrustedUrl: health.untrusted_url,
      }));
      return reached;
    };
  }

  #newTraffic(refusedBefore = 0): ForeignTraffic {
    const traffic = new ForeignTraffic(refusedBefore);
    this.#traffics.push(traffic);
    return traffic;
  }

  #poolOf(target: JobTarget): TenantPool {
    const pool = this.#pools.get(target.pool) ?? new TenantPool(target.profile);
    this.#pools.set(target.pool, pool);
    return pool;
  }

  #servedBy(target: JobTarget): ServedCalls {
    const gateway = gatewayOf(target);
    const served = this.#served.get(gateway) ?? new ServedCalls();
    this.#served.set(gateway, served);
    return served;
  }

  /** The recovery of a target's gateway. Several targets may share a gateway, each through its own proxy. */
  #channelRecoveryOf(target: JobTarget, time: MovableTime | null): ChannelRecovery | null {
    const { clockLock, simulators } = this.stackOf(target);
    if (simulators === null) return null;
    const { profile } = target;
    const gateway = gatewayOf(target);
    const known = this.#channelRecoveries.get(gateway);
    const channelRecovery =
      known ??
      new ChannelRecovery(
        createRecovery({ profile, time, clockLock, simulators, served: this.#servedBy(target) }),
      );
    this.#channelRecoveries.set(gateway, channelRecovery);
    return channelRecovery;
  }

  /** @param livesOn lets degraded tenants recover first, for the next run */
  async close({ livesOn }: { readonly livesOn: boolean }): Promise<void> {
    if (livesOn)
      await Promise.all(
        [...this.#channelRecoveries.values()].map((channelRecovery) => channelRecovery.recoverAll()),
      );
    await Promise.all(this.#endings.map((end) => end()));
  }
}

/** The identity of a gateway within a run. */
function gatewayOf({ profile }: JobTarget): string {
  return profile.hooks.clock?.url ?? declaredUrl(profile);
}
