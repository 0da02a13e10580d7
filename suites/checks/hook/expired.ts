import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { isGone } from '../../oracle/media/task-answer.ts';
import { distinctEvents, judgeNone } from '../../oracle/webhooks/one-event.ts';
import { must, part } from '../../rules/violation.ts';
import { deadlineLateMs, restLateMs } from '../../steps/failures/pass-timeouts.ts';
import { expiryMarginMs } from '../../steps/media/held-task.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import { mediaIdsOf } from '../../steps/routes/call-route.ts';
import {
  firstEvent,
  judged,
  judgedOnce,
  type ObservedTask,
  quiet,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';

const hourMs = 3_600_000;

/** The longest wait that deployments are expected to believe an upstream, seconds (reading B-110). */
const longestHintS = 300;

/** Enough tasks for some of them to end in one batch. */
const togetherAtLeast = 12;

/** After the expiry event nothing follows: neither when the job ends late nor within an hour. */
export const expirySendsEvent = defineCheck({
  id: 'hook.end.expired',
  title: 'a task of any model that expires sends one event, stamped at its expiry, and nothing afterwards',
  requirements: ['HOOK-001', 'HOOK-009', 'HOOK-003', 'HOOK-004', 'HOOK-013', 'STATE-010'],
  kind: 'upstream',
  clock: 'jump',
  needs: ['webhooks.receiver', 'upstream.control', 'tasks.deadline', 'time'],
  run: async (parts) => {
    const { target, clock, judge } = parts;
    const deadlineMs = target.profile.tasks.deadline_ms ?? 0;
    const marginMs = expiryMarginMs(deadlineMs);
    const beganAt = clock.now();
    const models = oneOfEachKind(target);
    const all = mediaIdsOf(target, 'tasks');
    const inbox = await parts.webhooks.inbox();
    const [held, slow, together] = await Promise.all([
      Promise.all(
        models.map((model, place) =>
          submitObserved(parts, model, { job: { hold: place % 2 === 0 ? 'running' : 'queued' } }),
        ),
      ),
      Promise.all(
        models.slice(0, 2).map((model) => submitObserved(parts, model, { job: { hold: 'running' } })),
      ),
      Promise.all(
        Array.from({ length: Math.max(togetherAtLeast, all.length) }, (_, place) =>
          submitObserved(parts, all[place % all.length] ?? '', { job: { hold: 'running' }, inbox }),
        ),
      ),
    ]);
    const submittedAt = clock.now();
    await clock.elapseTo(beganAt + deadlineMs - marginMs);
    await judgeNothing(parts, [...held, ...slow], beganAt + deadlineMs);
    await endSlowly(parts, slow);
    await clock.elapseTo(submittedAt + deadlineMs + marginMs);
    for (const task of held) await judgeExpired(parts, task);
    await judgeEach(parts, together);
    await quiet(parts);
    for (const task of [...held, ...slow]) await judgedOnce(judge, task);
    await judgeNothingFollows(parts, held, marginMs);
    for (const task of slow) await judgedOnce(judge, task);
  },
});

/**
 * A deployment may fail such a task before its deadline; then the event reports the failure. One upstream refuses each start.
 * The other requests a long wait, in which the deadline may pass.
 */
export const neverStartedSendsEvent = defineCheck({
  id: 'hook.end.never-started',
  title: 'a task that no upstream ever takes sends one event once it is over, failed or expired',
  requirements: ['HOOK-001', 'HOOK-003', 'HOOK-004'],
  kind: 'upstream',
  clock: 'jump',
  needs: ['webhooks.receiver', 'upstream.control', 'tasks.deadline', 'time'],
  run: async (parts) => {
    const { target, clock, judge } = parts;
    const deadlineMs = target.profile.tasks.deadline_ms ?? 0;
    const reply = { fault: { id: 'J1', form: 'overloaded' } };
    const models = oneOfEachKind(target);
    const later = { status: 503, headers: { 'retry-after': `${longestHintS}` } };
    const [refused, asked] = await Promise.all([
      Promise.all(models.map((model) => submitObserved(parts, model, { reply }))),
      Promise.all(models.map((model) => submitObserved(parts, model, { reply: later }))),
    ]);
    await clock.elapse(deadlineMs + expiryMarginMs(deadlineMs), deadlineLateMs(deadlineMs));
    for (const task of refused) await judgeOver(parts, task, 'sent-though-never-started');
    for (const task of asked) await judgeOver(parts, task, 'sent-though-only-asked');
    await quiet(parts);
    for (const task of [...refused, ...asked]) await judgedOnce(judge, task);
  },
});

/** Judges the event of a task that is over without having had a job. */
async function judgeOver(parts: CheckParts, task: ObservedTask, aspect: string): Promise<void> {
  await part(async () => {
    const { taskId } = task;
    const event = await firstEvent(parts.webhooks, task, { requirement: 'HOOK-001', aspect });
    const record = await expiredRecord(parts.tasks, taskId);
    judged(parts, event, { taskId, status: record?.status ?? 'EXPIRED', record });
  });
}

/**
 * Judges that no event arrives before the deadline. On a slow machine the deadline may pass meanwhile; then nothing is
 * judged.
 */
async function judgeNothing(
  parts: CheckParts,
  tasks: readonly ObservedTask[],
  deadlineAtMs: number,
): Promise<void> {
  await quiet(parts);
  for (const { inbox } of tasks) {
    const events = await inbox.eventsNow();
    if (parts.clock.now() >= deadlineAtMs) return;
    judgeNone(events, {
      requirement: 'HOOK-003',
      aspect: 'not-before-end',
      expected: 'no event of a task in flight, before its deadline',
    });
  }
}

/** Slow tasks succeed, and their events are stamped with the time of sending. */
async function endSlowly(parts: CheckParts, tasks: readonly ObservedTask[]): Promise<void> {
  const { clock, target, webhooks } = parts;
  for (const { scene } of tasks) await scene.moveJob(await scene.job(), { end: 'success' });
  // A gateway may have planned its next poll of a long job ahead.
  await clock.elapse(Math.min(15_000, expiryMarginMs(target.profile.tasks.deadline_ms ?? 0) / 2));
  for (const task of tasks) {
    const { taskId } = task;
    const { last } = await parts.tasks.follow(taskId);
    const event = await firstEvent(webhooks, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
    judged(parts, event, { taskId, status: last.status, record: last });
  }
}

async function judgeExpired(parts: CheckParts, task: ObservedTask): Promise<void> {
  const { taskId } = task;
  const event = await firstEvent(parts.webhooks, task, {
    requirement: 'HOOK-001',
    aspect: 'sent-on-expired',
  });
  const record = await expiredRecord(parts.tasks, taskId);
  judged(parts, event, { taskId, status: record?.status ?? 'EXPIRED', record });
}

/** Judges that tasks which end at one moment, and name one URL, have an event each. */
async function judgeEach(parts: CheckParts, tasks: readonly ObservedTask[]): Promise<void> {
  const events = (await tasks[0]?.inbox.events(tasks.length)) ?? [];
  for (const { taskId, submitted } of tasks) {
    const event = events.find(({ body }) => body.includes(taskId));
    must(event !== undefined, {
      requirement: 'HOOK-001',
      aspect: 'sent-for-each',
      expected: `an event of ${taskId}, one of ${tasks.length} tasks with one webhook_url that expire at once`,
      actual: `${events.length} events, none of them its own`,
      exchange: events.at(-1)?.exchange ?? submitted,
      twin: submitted,
    });
    const record = await expiredRecord(parts.tasks, taskId);
    judged(parts, event, { taskId, status: record?.status ?? 'EXPIRED', record });
  }
}

/** The record of an expired task; null where the task is gone then (reading B-66). */
async function expiredRecord(tasks: Tasks, taskId: string): Promise<TaskRecord | null> {
  const exchange = await tasks.read(taskId, { label: 'when its expiry was reported' });
  return isGone(exchange) ? null : tasks.record(exchange, taskId);
}

/** Judges that an upstream report after the end causes no event. */
async function judgeNothingFollows(
  parts: CheckParts,
  tasks: readonly ObservedTask[],
  marginMs: number,
): Promise<void> {
  const { target, clock } = parts;
  for (const { scene } of tasks) await scene.moveJob(await scene.job(), { end: 'success' });
  const { retention_ms: retentionMs = 2 * hourMs } = target.profile.tasks;
  await clock.elapse(marginMs);
  await quiet(parts);
  if (target.profile.hooks.clock !== undefined) {
    const longMs = Math.min(hourMs, retentionMs / 2);
    await clock.elapse(longMs, Math.min(restLateMs, longMs / 4));
  }
  for (const { inbox } of tasks)
    judgeNone(distinctEvents(await inbox.eventsNow()).slice(1), {
      requirement: 'STATE-010',
      aspect: 'no-second-event',
      expected: 'no second event when the job of an expired task ends after all',
    });
}
