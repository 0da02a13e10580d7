import type { SlotRecall } from '../../../access/kept-slots.ts';
import { type ProcessStore, processStore } from '../store/memory-dialect.ts';
import { virtualClock } from '../virtual-clock.ts';
import { createGateway, type SimulatedGateway } from './gateway.ts';
import { receiversFor } from './receivers.ts';
import type { PlannedBlow } from './scenario.ts';
import { simulatedUpstreams } from './upstream-client.ts';
import type { World } from './world.ts';

/** A process that runs. */
interface Running {
  readonly own: string;
  readonly gateway: SimulatedGateway;
  readonly store: ProcessStore;
  isReady: boolean;
}

const retryMs = 500;

/** The processes of a deployment, each in its place: when one dies, another takes its place after a while. */
export class Processes {
  readonly #world: World;
  readonly #places: (Running | null)[];
  /** What each process does when others ask for slots. */
  readonly #asked = new Map<string, (userId: string) => void>();
  #started = 0;

  constructor(world: World) {
    this.#world = world;
    world.isAlive = (own) => this.#places.some((one) => one?.own === own);
    this.#places = Array.from({ length: world.scenario.processes }, () => null);
  }

  startAll(): void {
    for (const place of this.#places.keys()) this.#start(place);
  }

  /** The processes that take requests now. */
  get ready(): readonly SimulatedGateway[] {
    return this.#places.flatMap((one) => (one?.isReady ? [one.gateway] : []));
  }

  /** Any of the processes that take requests; null if none does. */
  any(): SimulatedGateway | null {
    const [first, ...others] = this.ready;
    return first === undefined ? null : this.#world.random.pick([first, ...others]);
  }

  strike({ process: place, kind, downMs }: PlannedBlow): void {
    const one = this.#places[place];
    if (one === null || one === undefined) return;
    if (kind === 'kill') this.#kill(place, one, downMs);
    else if (one.store.severIdle()) this.#world.scheduler.note(`${one.own} lost an idle connection`);
  }

  #start(place: number): void {
    const world = this.#world;
    this.#started += 1;
    const own = `gw${this.#started}`;
    const isShared = world.scenario.processes > 1;
    const { scheduler, random, scenario, planted } = world;
    const clock = virtualClock(scheduler, own);
    const store = processStore({
      ...{ store: world.store, scheduler, random, owner: own, outlivesProcess: isShared },
      faults: () => world.storeFaults,
      onDefect: (error) => world.fail(error),
    });
    const gateway = createGateway({
      ...{ own, config: scenario.config, keys: world.keys, store, isShared, clock, planted },
      recall: this.#recallOf(own),
      upstreams: simulatedUpstreams({
        ...{ site: world.upstreams, scheduler, random, limits: scenario.config.upstream, process: own },
      }),
      send: receiversFor(own, {
        ...{ random, scheduler, badness: () => world.badness(null) },
        onReceipt: (receipt) => world.check((invariant, view) => invariant.received?.(receipt, view)),
      }),
      ...{
        files: world.files,
        seal: world.seal,
        random: () => random.next(),
        newId: (prefix) => prefix + random.id(),
      },
      onBreaker: (line) => world.check((invariant, view) => invariant.breaker?.(own, line, view)),
    });
    const running: Running = { own, gateway, store, isReady: false };
    this.#places[place] = running;
    scheduler.note(`${own} starts`);
    gateway.open().then(
      () => {
        running.isReady = true;
      },
      () => {
        // As main.ts does: a process that cannot start ends, and is started again.
        if (this.#places[place] === running) this.#kill(place, running, retryMs);
      },
    );
  }

  /** A question reaches all others after a while. */
  #recallOf(own: string): SlotRecall {
    const { scheduler, random } = this.#world;
    return {
      isHeard: true,
      ask: (userId) =>
        new Promise((resolve) => {
          scheduler.after(random.whole(1, 20), own, `${own} asks for the slots of ${userId}`, () => {
            for (const [other, give] of this.#asked) if (other !== own) give(userId);
            resolve();
          });
        }),
      onAsked: (give) => this.#asked.set(own, give),
    };
  }

  #kill(place: number, one: Running, downMs: number): void {
    const world = this.#world;
    const { scheduler } = world;
    scheduler.note(`${one.own} dies`);
    this.#places[place] = null;
    this.#asked.delete(one.own);
    scheduler.drop(one.own);
    one.store.kill();
    for (const call of [...world.upstreams.calls.open]) {
      if (call.process === one.own) world.upstreams.calls.end(call, 'left');
    }
    for (const request of world.requests.values()) {
      if (request.process === one.own) request.overMs ??= scheduler.nowMs;
    }
    world.blowsMs.push(scheduler.nowMs);
    scheduler.after(downMs, 'world', 'a process is started', () => this.#start(place));
  }
}
