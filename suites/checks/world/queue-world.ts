import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { processesOf } from '../../profile/calls-at-once.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { freedWithinMs } from '../../steps/failures/pass-timeouts.ts';
import { routesOf } from '../../steps/failures/routed-call.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { chatWay } from '../../steps/ways/way-in.ts';
import { isSuccess, outcomeOf } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

const requirement = 'ROUTE-010';
const fullCodes: readonly ErrorCode[] = ['channel_queue_full', 'channel_outage'];

/** One call at the upstream, and one that waits. */
const room = 2;
/** How long a call may take to reach its upstream or to be refused, ms. */
const settledWithinMs = 5_000;

const steps = ['enter', 'enter', 'served', 'leave-upstream', 'leave-queue'] as const;
type Step = (typeof steps)[number];

/** A call that has not ended, as far as is known. */
interface Inside {
  readonly scene: Scene;
  readonly live: LiveExchange;
}

export const queuesMoveOn = defineCheck({
  id: 'world.queue',
  title: 'a channel with a queue of one serves the call that waits, however the others end',
  requirements: [requirement],
  kind: 'property',
  needs: ['upstream.control', 'upstream.routes.queued'],
  run: async (parts) => {
    const [route] = routesOf(parts.target, 'queued');
    if (route === undefined || processesOf(parts.target.profile) > 1)
      throw new Untestable('a model whose only channel is of one process, and has a queue');
    await parts.cases.forAll(
      fc.array(fc.constantFrom(...steps), { minLength: 3, maxLength: 12, size: 'max' }),
      (some) => new Queue(parts, route.model).play(some),
      { quick: 8, full: 100, examples: [['enter', 'enter', 'leave-queue', 'served', 'enter']] },
    );
  },
});

class Queue {
  readonly #parts: CheckParts;
  readonly #model: string;
  readonly #inside = new Set<Inside>();
  readonly #answered = new Set<Inside>();
  #opened = 0;
  /** Until then a place may still be taken by a call that has just ended, here or in an earlier case. */
  #graceUntilMs = performance.now() + freedWithinMs;

  constructor(parts: CheckParts, model: string) {
    this.#parts = parts;
    this.#model = model;
  }

  /** Takes the steps, and in the end serves all who are there, and one more. @throws Violation */
  async play(some: readonly Step[]): Promise<void> {
    try {
      for (const step of some) await this.#step(step);
      while (this.#inside.size > 0) await this.#step('served');
      for (const step of ['enter', 'served'] as const) await this.#step(step);
    } finally {
      for (const { live } of this.#inside) live.abort();
    }
  }

  async #step(step: Step): Promise<void> {
    this.#parts.cases.signal.throwIfAborted();
    if (step === 'enter') await this.#enter();
    const [first] = await this.#atUpstream();
    const next = [...this.#inside].find((one) => one !== first);
    if (step === 'served' && first !== undefined) await this.#serve(first);
    if (step === 'leave-upstream' && first !== undefined) await this.#leave(first);
    if (step === 'leave-queue' && next !== undefined) await this.#leave(next);
    await this.#settle();
  }

  async #enter(): Promise<void> {
    const scene = this.#parts.newScene();
    await scene.script({ gates: ['head'] });
    this.#opened += 1;
    const way = chatWay(coreProtocol, this.#model, this.#opened % 2 === 0);
    const label = `${this.#model}, call ${this.#opened}`;
    const one = { scene, live: way.open(this.#parts, way.body(scene), { label }) };
    this.#inside.add(one);
    void one.live.done.then(() => this.#answered.add(one));
  }

  async #serve(one: Inside): Promise<void> {
    await releaseOwn(one);
    const exchange = await one.live.done;
    this.#isOver(one);
    must(isSuccess(exchange), {
      ...{ requirement, aspect: 'queue-serves', exchange },
      expected: 'an answer to the call that is at the upstream',
      actual: outcomeOf(exchange),
    });
  }

  async #leave(one: Inside): Promise<void> {
    one.live.abort();
    await one.live.done;
    this.#isOver(one);
    // A deployment may read on what its upstream says.
    await releaseOwn(one);
  }

  #isOver(one: Inside): void {
    this.#inside.delete(one);
    this.#graceUntilMs = performance.now() + freedWithinMs;
  }

  async #atUpstream(): Promise<Inside[]> {
    const all = [...this.#inside];
    const requests = await Promise.all(all.map(({ scene }) => scene.requestsNow()));
    return all.filter((_, place) => requests[place]?.some(({ entry }) => entry.reply.waiting_at !== null));
  }

  /** Waits until one call is at the upstream, and all for whom there is no room have been refused. */
  async #settle(): Promise<void> {
    const untilMs = performance.now() + settledWithinMs;
    for (;;) {
      this.#parts.cases.signal.throwIfAborted();
      const [answered] = [...this.#inside].filter((one) => this.#answered.has(one));
      if (answered !== undefined) {
        await this.#judgeRefused(answered);
        continue;
      }
      const { size } = this.#inside;
      const held = (await this.#atUpstream()).length;
      if (size <= room && held === Math.min(1, size)) return;
      if (performance.now() < untilMs) continue;
      const [first] = this.#inside;
      first?.live.abort();
      must(false, {
        ...{
          requirement,
          aspect: size > room ? 'queue-full' : 'queue-serves',
          exchange: await first?.live.done,
        },
        expected: 'one call at the upstream, one that waits for it, and all others refused',
        actual: `${held} at the upstream, of ${size} that are not answered`,
      });
    }
  }

  /** Only who finds both places taken is refused. */
  async #judgeRefused(one: Inside): Promise<void> {
    const exchange = await one.live.done;
    const hadRoom = this.#inside.size <= room;
    this.#inside.delete(one);
    if (hadRoom && performance.now() < this.#graceUntilMs) return await this.#enter();
    must(!hadRoom, {
      ...{ requirement, aspect: 'queue-serves', exchange },
      expected: 'a place: one call at the upstream, and one that waits for it',
      actual: outcomeOf(exchange),
    });
    this.#parts.judge.refused(exchange, { requirement, aspect: 'queue-full', codes: fullCodes });
  }
}

async function releaseOwn({ scene }: Inside): Promise<void> {
  for (const request of await scene.requestsNow()) await scene.release(request);
}
