import { createHmac } from 'node:crypto';
import { virtualClock } from '../virtual-clock.ts';
import { askedBy, askedForTask, type CallerRequest, codeIn } from './caller.ts';
import { type Asked, openSimulatedExchange, type Seen } from './exchange.ts';
import type { SimulatedGateway } from './gateway.ts';
import type { Job } from './jobs.ts';
import type { Processes } from './processes.ts';
import { type PlannedRequest, upstreamKey } from './scenario.ts';
import type { World } from './world.ts';

/** Everybody who sends requests: callers, readers of tasks, and upstreams that report. */
export class Callers {
  readonly #world: World;
  readonly #processes: Processes;
  #reports = 0;

  constructor(world: World, processes: Processes) {
    this.#world = world;
    this.#processes = processes;
    world.onJob = (job) => this.#planReports(job);
  }

  /** Requests that still wait for their answers. */
  get waiting(): readonly CallerRequest[] {
    return [...this.#world.requests.values()].filter(({ overMs }) => overMs === null);
  }

  /** A planned request comes, unless nobody takes it. */
  ask(planned: PlannedRequest): void {
    const gateway = this.#processes.any();
    if (gateway === null) return;
    const { random, scheduler } = this.#world;
    const requestId = `req_${random.id()}`;
    const { userId, kind, leavesAfterMs } = planned;
    const opened = this.#open(
      gateway,
      { requestId, userId, kind },
      askedBy(planned, requestId, random),
      (seen) => {
        const isTask = kind === 'voice' || kind === 'video';
        if (isTask && seen.status === 200) this.#planReads(userId, seen);
      },
    );
    if (leavesAfterMs === null) return;
    scheduler.after(leavesAfterMs, gateway.own, `the caller of ${requestId} leaves`, () => {
      opened.request.overMs ??= scheduler.nowMs;
      opened.leave();
    });
  }

  #planReads(userId: string, { body }: Seen): void {
    const { random, scheduler } = this.#world;
    const { task_id: taskId }: { task_id: string } = JSON.parse(body);
    // One after the other, because two answers at once may overtake each other.
    const next = (left: number): void => {
      if (left === 0) return;
      scheduler.after(random.whole(20, 6000), 'callers', `${taskId} is read`, () => {
        const gateway = this.#processes.any();
        if (gateway === null) return;
        const requestId = `req_${random.id()}`;
        const facts = { requestId, userId, kind: 'read' } as const;
        this.#open(gateway, facts, askedForTask(userId, taskId), () => next(left - 1));
      });
    };
    next(3);
  }

  /** An upstream reports on a job: perhaps too early, perhaps twice, perhaps never. */
  #planReports(job: Job): void {
    const { random, scheduler } = this.#world;
    if (job.callbackUrl === null) return;
    this.#reports += 1;
    const id = `report-${this.#reports}`;
    const waits = [
      ...(random.chance(0.3) ? [random.whole(0, 60)] : []),
      ...(random.chance(0.8) ? [job.doneAtMs - scheduler.nowMs + random.whole(0, 300)] : []),
      ...(random.chance(0.3) ? [job.doneAtMs - scheduler.nowMs + random.whole(0, 3000)] : []),
    ];
    for (const waitMs of waits)
      scheduler.after(waitMs, 'upstreams', `${job.host} reports on ${job.id}`, () => this.#report(job, id));
  }

  #report({ id, host }: Job, reportId: string): void {
    const gateway = this.#processes.any();
    if (gateway === null) return;
    const { random, scheduler } = this.#world;
    const body = JSON.stringify({ code: 200, data: { taskId: id } });
    const timestamp = String(Math.floor(scheduler.nowMs / 1000));
    const signature = createHmac('sha256', upstreamKey)
      .update(`${reportId}.${timestamp}.`)
      .update(body)
      .digest('hex');
    const headers = {
      'callback-id': reportId,
      'callback-timestamp': timestamp,
      'callback-signature': `v1=${signature}`,
    };
    const facts = { requestId: `req_${random.id()}`, userId: '', kind: 'callback' } as const;
    this.#open(gateway, facts, { method: 'POST', path: `/callbacks/${host}`, headers, body }, () => {});
  }

  #open(
    gateway: SimulatedGateway,
    facts: Pick<CallerRequest, 'requestId' | 'userId' | 'kind'>,
    asked: Asked,
    onAnswer: (seen: Seen) => void,
  ): { readonly request: CallerRequest; leave(): void } {
    const world = this.#world;
    const { scheduler, scenario } = world;
    const { own } = gateway;
    const request: CallerRequest = {
      ...facts,
      process: own,
      askedMs: scheduler.nowMs,
      overMs: null,
      status: null,
    };
    world.requests.set(facts.requestId, request);
    scheduler.note(`${own} is asked ${facts.kind} by ${facts.userId}`);
    const { exchange, leave } = openSimulatedExchange(asked, {
      ...{ requestId: facts.requestId, clock: virtualClock(scheduler, own), limits: scenario.config.limits },
      onEnd: (seen) => {
        request.overMs ??= scheduler.nowMs;
        request.status = seen.status;
        scheduler.note(`${own} answers ${facts.requestId} with ${seen.status} ${codeIn(seen) ?? ''}`);
        world.check((invariant, view) => invariant.answered?.(request, seen, view));
        onAnswer(seen);
      },
    });
    gateway.serve(exchange);
    return { request, leave };
  }
}
