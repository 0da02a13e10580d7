import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { isGone } from '../../oracle/media/gone.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { distinctEvents, judgeNone } from '../../oracle/webhooks/one-event.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import {
  firstEvent,
  judged,
  judgedOnce,
  quiet,
  submitTold,
  type ToldTask,
} from '../../steps/webhooks/told-task.ts';

/** How much earlier and later than declared is judged, ms: real time passes between the jumps. */
const marginOf = (declaredMs: number): number => Math.min(30_000, declaredMs / 5);

const hourMs = 3_600_000;

const expiryIsTold = defineCheck({
  id: 'hook.end.expired',
  title:
    'a task that expires is told of by one event, stamped then and not with when it was submitted; nothing follows when its job ends after all, nor within an hour',
  requirements: ['HOOK-001', 'HOOK-009', 'HOOK-003', 'HOOK-004', 'HOOK-013', 'STATE-010'],
  kind: 'upstream',
  clock: 'jump',
  needs: ['webhooks.receiver', 'upstream.control', 'tasks.deadline', 'time'],
  run: async (kit) => {
    const deadlineMs = kit.target.profile.tasks.deadline_ms ?? 0;
    const marginMs = marginOf(deadlineMs);
    const beganAt = kit.clock.now();
    const models = oneOfEachKind(kit);
    const [held, slow] = await Promise.all([
      Promise.all(
        models.map((model, place) =>
          submitTold(kit, model, { job: { hold: place % 2 === 0 ? 'running' : 'queued' } }),
        ),
      ),
      Promise.all(models.slice(0, 2).map((model) => submitTold(kit, model, { job: { hold: 'running' } }))),
    ]);
    const submittedAt = kit.clock.now();
    await kit.clock.elapse(Math.max(1, beganAt + deadlineMs - marginMs - kit.clock.now()));
    await judgeNothing(kit, [...held, ...slow], 'before its deadline');
    await endSlowly(kit, slow);
    await kit.clock.elapse(Math.max(1, submittedAt + deadlineMs + marginMs - kit.clock.now()));
    for (const task of held) await judgeExpired(kit, task);
    await quiet(kit);
    for (const task of [...held, ...slow]) await judgedOnce(kit, task);
    await judgeNothingFollows(kit, held, marginMs);
    for (const task of slow) await judgedOnce(kit, task);
  },
});

async function judgeNothing(kit: CheckParts, tasks: readonly ToldTask[], when: string): Promise<void> {
  await quiet(kit);
  for (const { inbox } of tasks)
    judgeNone(await inbox.eventsNow(), {
      requirement: 'HOOK-003',
      aspect: 'not-before-end',
      expected: `no event of a task that is under way, ${when}`,
    });
}

/** Tasks that took long succeed after all: what their events are stamped with is when they were sent. */
async function endSlowly(kit: CheckParts, tasks: readonly ToldTask[]): Promise<void> {
  for (const { scene } of tasks) await scene.moveJob(await scene.job(), { end: 'success' });
  // A look at a job that takes long may be some time ahead.
  await kit.clock.elapse(Math.min(15_000, marginOf(kit.target.profile.tasks.deadline_ms ?? 0) / 2));
  for (const task of tasks) {
    const { taskId } = task;
    const { last } = await kit.tasks.follow(taskId);
    const event = await firstEvent(kit, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
    judged(kit, event, { taskId, status: last.status, record: last });
  }
}

async function judgeExpired(kit: CheckParts, task: ToldTask): Promise<void> {
  const { taskId } = task;
  const event = await firstEvent(kit, task, { requirement: 'HOOK-001', aspect: 'sent-on-expired' });
  const record = await expiredRecord(kit, taskId);
  judged(kit, event, { taskId, status: record?.status ?? 'EXPIRED', record });
}

/** The record of a task that has expired; null where it is gone with that (reading B-66). */
async function expiredRecord(kit: CheckParts, taskId: string): Promise<TaskRecord | null> {
  const exchange = await kit.tasks.read(taskId, { label: 'when its expiry was told' });
  return isGone(exchange) ? null : kit.tasks.record(exchange, taskId);
}

/** What an upstream reports after the end is told to nobody. */
async function judgeNothingFollows(
  kit: CheckParts,
  tasks: readonly ToldTask[],
  marginMs: number,
): Promise<void> {
  for (const { scene } of tasks) await scene.moveJob(await scene.job(), { end: 'success' });
  const { retention_ms: retentionMs = 2 * hourMs } = kit.target.profile.tasks;
  await kit.clock.elapse(marginMs);
  await quiet(kit);
  if (kit.target.profile.hooks.clock !== undefined) await kit.clock.elapse(Math.min(hourMs, retentionMs / 2));
  for (const { inbox } of tasks)
    judgeNone(distinctEvents(await inbox.eventsNow()).slice(1), {
      requirement: 'STATE-010',
      aspect: 'no-second-event',
      expected: 'no second event when the job of an expired task ends after all',
    });
}

export const expiredChecks: readonly Check[] = [expiryIsTold];
