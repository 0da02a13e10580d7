import { Callers } from './world/callers.ts';
import { Processes } from './world/processes.ts';
import { Violation } from './world/view.ts';
import { World, type WorldOptions } from './world/world.ts';

/** What came of one seed. */
export interface Run {
  readonly seed: number;
  /** The rule that was broken, or the defect of the simulation itself; null if all went well. */
  readonly failure: Error | null;
  /** The hash of all events, in their order. */
  readonly hash: string;
  /** The last events. */
  readonly trace: readonly string[];
  readonly steps: number;
  readonly virtualMs: number;
  /** What happened, for the figures. */
  readonly counts: Readonly<Record<'requests' | 'answers' | 'tasks' | 'events' | 'blows', number>>;
}

/** Time in which everything has to come to rest once all goes well. */
const restWithinMs = 150_000;
const maxSteps = 60_000;

/** Simulates the scenario of a seed, from the first request until everything has come to rest. */
export async function simulate(seed: number, options: WorldOptions = {}): Promise<Run> {
  const world = new World(seed, options);
  const undo = options.planted?.install?.();
  try {
    await play(world);
  } finally {
    undo?.();
  }
  const { scheduler, store, requests, failure, blowsMs } = world;
  return {
    ...{ seed, failure, hash: scheduler.hash(), trace: scheduler.trace },
    ...{ steps: scheduler.steps, virtualMs: scheduler.sinceMs },
    counts: {
      requests: requests.size,
      answers: store.tables.records.all().filter(({ outcome }) => outcome === 'success').length,
      tasks: store.tables.tasks.size,
      events: store.tables.events.size,
      blows: blowsMs.length,
    },
  };
}

async function play(world: World): Promise<void> {
  const { scheduler, scenario } = world;
  const processes = new Processes(world);
  const callers = new Callers(world, processes);
  processes.startAll();
  for (const planned of scenario.requests)
    scheduler.after(planned.atMs, 'world', 'a request comes', () => callers.ask(planned));
  for (const blow of scenario.blows)
    scheduler.after(blow.atMs, 'world', `a ${blow.kind} falls due`, () => processes.strike(blow));
  const untilMs = scenario.healedAtMs + restWithinMs;
  while (world.failure === null) {
    if (!(await scheduler.step())) world.fail(new Error('nothing is left to happen'));
    if (scheduler.sinceMs < scenario.healedAtMs) continue;
    const unrest = unrestOf(world, callers);
    if (unrest === null) break;
    if (scheduler.sinceMs > untilMs || scheduler.steps > maxSteps)
      world.fail(new Violation(`rest: after ${scheduler.steps} events ${unrest}`));
  }
  world.check((invariant, view) => invariant.atRest?.(view));
}

/** What has not come to rest yet; null if everything has. */
function unrestOf({ store, scheduler, upstreams }: World, callers: Callers): string | null {
  const { tasks, events, holds, leases } = store.tables;
  const running = tasks.all().find((task) => task.ended_at === null);
  if (running !== undefined) return `${running.id} is still ${running.status}`;
  const pending = events.all().find((event) => event.ended_at === null);
  if (pending !== undefined) return `${pending.id} is still ${pending.state}`;
  const [waiting] = callers.waiting;
  if (waiting !== undefined) return `${waiting.requestId} of ${waiting.process} waits for its answer`;
  const [call] = upstreams.calls.open;
  if (call !== undefined) return `call ${call.n} of ${call.process} is still open`;
  const [hold] = holds.all();
  if (hold !== undefined)
    return `${hold.requestId} still holds for ${hold.holder}: holds are left at the end`;
  const isLeased = (userId: string): boolean =>
    [...(leases.get(userId)?.values() ?? [])].some((untilMs) => untilMs > scheduler.nowMs);
  const leased = leases.keys().find(isLeased);
  return leased === undefined ? null : `${leased} still has a slot: a lease is not returned`;
}
