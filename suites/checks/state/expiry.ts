import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { isGone, isTerminal } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import { expiryMarginMs, mustBeUnknown, submitJob } from '../../steps/media/held-task.ts';
import { anyTaskModel, oneOfEachKind } from '../../steps/media/task-models.ts';

/** How long the status may be behind the clock, ms. */
const lateMs = 5_000;

export const stuckJobExpires = defineCheck({
  id: 'state.expired.at-deadline',
  title: 'a task whose job never ends is EXPIRED at the declared time and stays so',
  requirements: ['STATE-007', 'STATE-010', 'STATE-002'],
  kind: 'upstream',
  clock: 'jump',
  needs: ['upstream.control', 'tasks.deadline', 'time'],
  run: async (parts) => {
    const { target, clock, cases, tasks } = parts;
    const deadlineMs = target.profile.tasks.deadline_ms ?? 0;
    const marginMs = expiryMarginMs(deadlineMs);
    const beganAt = clock.now();
    const held = await Promise.all(
      oneOfEachKind(target).map(async (model, place) => {
        cases.count();
        return submitJob(parts, model, { hold: place % 2 === 0 ? 'running' : 'queued' });
      }),
    );
    const submittedAt = clock.now();
    await clock.elapseTo(beganAt + deadlineMs - marginMs);
    for (const { taskId } of held) {
      const exchange = await tasks.read(taskId, { label: 'before the deadline' });
      // On a slow machine the deadline may have passed.
      if (clock.now() >= beganAt + deadlineMs) break;
      const before = tasks.record(exchange, taskId);
      const rule = { requirement: 'STATE-007', aspect: 'not-before-deadline', exchange };
      const expected = `a task in flight before ${deadlineMs} ms`;
      const actual = before.status;
      must(before.status === 'QUEUED' || before.status === 'RUNNING', { ...rule, expected, actual });
    }
    await clock.elapseTo(submittedAt + deadlineMs + marginMs);
    for (const { taskId } of held) await mustBeExpired(parts, taskId, 'STATE-007', 'expires-at-deadline');
    // Only now does the upstream end the jobs.
    for (const { scene } of held) await scene.moveJob(await scene.job(), { end: 'success' });
    await clock.elapse(marginMs);
    for (const { taskId } of held) await mustBeExpired(parts, taskId, 'STATE-010', 'stays-expired');
  },
});

export const forgottenAfterRetention = defineCheck({
  id: 'state.retention.forgotten',
  title: 'an ended task is readable until its declared retention has passed, then unknown',
  requirements: ['STATE-013', 'ERR-028'],
  kind: 'timing',
  clock: 'jump',
  needs: ['tasks.retention', 'time'],
  run: async (parts) => {
    const { target, tasks, newScene, clock } = parts;
    const retentionMs = target.profile.tasks.retention_ms ?? 0;
    const body = newScene().minimalMedia(anyTaskModel(target));
    const { taskId, last } = await tasks.make(body, { label: 'a task to be forgotten' });
    const early = Math.min(60_000, retentionMs / 10);
    await clock.elapse(retentionMs - early);
    const rule = { requirement: 'STATE-013', aspect: 'readable-until-then' };
    tasks.record(await tasks.read(taskId, { label: 'within its retention' }), taskId, { ...rule });
    await tasks.results(last);
    await clock.elapse(2 * early, early);
    const forgotten = { requirement: 'STATE-013', aspect: 'forgotten-then' };
    await mustBeUnknown(parts, taskId, forgotten, { label: 'after its retention', twin: last.exchange });
  },
});

/** The status is EXPIRED, or the task is unknown by then (reading B-66). */
async function mustBeExpired(
  { tasks, judge }: CheckParts,
  taskId: string,
  requirement: string,
  aspect: string,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    const exchange = await tasks.read(taskId, { label: 'after the deadline' });
    if (isGone(exchange)) {
      judge.note('a task that has expired is not found (reading B-66)');
      return;
    }
    const { status } = tasks.record(exchange, taskId);
    if (status === 'EXPIRED') return;
    const rule = { requirement, aspect, exchange };
    const expected = 'status EXPIRED, or task_not_found';
    must(!isTerminal(status) && performance.now() - start < lateMs, { ...rule, expected, actual: status });
  }
}
