import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import { judgeMerged } from '../../oracle/webhooks/merged-trace.ts';
import { judgeNone } from '../../oracle/webhooks/one-event.ts';
import { must } from '../../rules/violation.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import {
  endWithinMs,
  firstEvent,
  judged,
  type ObservedTask,
  type ObserveOptions,
  quiet,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';

export const notBeforeEnd = defineCheck({
  id: 'hook.end.not-before',
  title: 'a task sends no webhook while it is queued or running, only once it has ended',
  requirements: ['HOOK-003', 'HOOK-001'],
  kind: 'upstream',
  needs: ['webhooks.receiver', 'upstream.control'],
  run: async (parts) => {
    const tasks = await Promise.all(
      oneOfEachKind(parts.target).map((model, place) =>
        submitObserved(parts, model, { job: { hold: place % 2 === 0 ? 'running' : 'queued' } }),
      ),
    );
    const until = ({ status }: { status: string }): boolean => status === 'RUNNING';
    await Promise.all(
      tasks.map(async ({ scene, taskId }, place) => {
        await scene.job();
        if (place % 2 === 0) await parts.tasks.follow(taskId, { until });
      }),
    );
    await judgeNothingYet(parts, tasks, 'queued, or runs');
    for (const { scene } of tasks) {
      const job = await scene.job();
      if (job.status === 'queued') await scene.moveJob(job, { to: 'running' });
    }
    await judgeNothingYet(parts, tasks, 'running');
    for (const { scene } of tasks) await scene.moveJob(await scene.job(), { end: 'success' });
    await Promise.all(tasks.map((task) => judgeObserved(parts, task)));
  },
});

export const readableAtEvent = defineCheck({
  id: 'hook.end.readable',
  title: "when a task's webhook arrives, a poll shows the same state, with results to fetch",
  requirements: ['HOOK-012', 'HOOK-013', 'HOOK-016'],
  kind: 'upstream',
  needs: ['webhooks.receiver', 'upstream.control'],
  run: async (parts) => {
    const models = oneOfEachKind(parts.target);
    const jobs = [
      ...models.map((model) => ({ model, job: { end: 'success' } as const })),
      {
        model: models[0] ?? '',
        job: { end: 'failed', error: { code: 'internal_error', message: 'No.' } } as const,
      },
    ];
    // Two at a time, because a gateway may pause deliveries to a slow receiver.
    for (const pair of [jobs.slice(0, 2), jobs.slice(2)])
      await Promise.all(pair.map(({ model, job }) => readWhileHeld(parts, model, job)));
  },
});

async function judgeNothingYet(
  parts: CheckParts,
  tasks: readonly ObservedTask[],
  how: string,
): Promise<void> {
  await quiet(parts);
  for (const { inbox } of tasks)
    judgeNone(await inbox.eventsNow(), {
      requirement: 'HOOK-003',
      aspect: 'not-before-end',
      expected: `no event while a task is ${how}`,
    });
}

async function judgeObserved(parts: CheckParts, task: ObservedTask): Promise<void> {
  const event = await firstEvent(parts.webhooks, task, {
    requirement: 'HOOK-001',
    aspect: 'sent-on-success',
  });
  judged(parts, event, { taskId: task.taskId, status: 'SUCCESS', record: null });
}

async function readWhileHeld(
  parts: CheckParts,
  model: string,
  job: NonNullable<ObserveOptions['job']>,
): Promise<void> {
  const { tasks, http } = parts;
  const task = await submitObserved(parts, model, { job, answers: [{ hold: true }] });
  const { inbox, taskId } = task;
  try {
    const event = await arrival(parts, task, job.end === 'success' ? 'sent-on-success' : 'sent-on-failed');
    const exchange = await tasks.read(taskId, { label: 'read at the event' });
    const record = tasks.record(exchange, taskId);
    judgeMerged({ reads: [{ record }], events: [event] });
    judged(parts, event, { taskId, status: record.status, record });
    for (const url of record.resultUrls) await judgeThere(http, url, event.exchange);
  } finally {
    await inbox.release();
    await inbox.plan();
  }
}

/** The event of a task not read before; without one the task must at least have ended. */
async function arrival(parts: CheckParts, task: ObservedTask, aspect: string): Promise<ReceivedEvent> {
  const [arrived] = await task.inbox.events(1, endWithinMs(parts));
  if (arrived === undefined) await parts.tasks.follow(task.taskId);
  return firstEvent(parts.webhooks, task, { requirement: 'HOOK-001', aspect });
}

async function judgeThere(http: HttpCalls, url: string, twin: Exchange): Promise<void> {
  const found = await http.fetch(url);
  must(found.status === 200 && found.sniffed.kind !== 'none', {
    requirement: 'HOOK-012',
    aspect: 'results-at-event',
    expected: 'results that can be fetched when the event has arrived',
    actual: `HTTP ${found.status}, ${found.bytes.length} bytes of ${found.sniffed.kind}`,
    exchange: found.exchange,
    twin,
  });
}
