import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { anyTaskModel, oneOfEachKind } from '../../steps/media/task-models.ts';
import {
  endWithinMs,
  firstEvent,
  judged,
  type ObservedTask,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';

export const slowStaysApart = defineCheck({
  id: 'hook.slow.apart',
  title: 'a slow, broken or failing receiver holds up no task and no event of other receivers',
  requirements: ['HOOK-016', 'HOOK-015', 'HOOK-001'],
  kind: 'concurrency',
  needs: ['webhooks.receiver', 'upstream.control'],
  run: async (parts) => {
    const { target, webhooks } = parts;
    const models = oneOfEachKind(target);
    const slow = await Promise.all(
      models
        .slice(0, 3)
        .map((model) => submitObserved(parts, model, { answers: [{ hold: true }, { status: 200 }] })),
    );
    const broken = await Promise.all(
      [{ status: 500 }, { reset: true } as const].map((answer) =>
        submitObserved(parts, anyTaskModel(target), { answers: [answer, { status: 200 }] }),
      ),
    );
    try {
      // Tasks end without waiting for the answers to their events.
      for (const task of [...slow, ...broken]) await judgeEnds(parts, task);
      for (const task of slow)
        await firstEvent(webhooks, task, { requirement: 'HOOK-001', aspect: 'sent-beside-slow' });
      await judgeOthers(parts);
      for (const task of [...slow, ...broken]) await judgeEnds(parts, task);
    } finally {
      await Promise.all(slow.map(({ inbox }) => inbox.release()));
    }
  },
});

async function judgeEnds(parts: CheckParts, { taskId, submitted }: ObservedTask): Promise<void> {
  const { isDone, last } = await parts.tasks.watch(taskId, {
    label: 'while its receiver is slow',
    withinMs: endWithinMs(parts),
  });
  must(isDone && last.status === 'SUCCESS', {
    requirement: 'HOOK-016',
    aspect: 'state-undelayed',
    expected: 'the end of a task whose receiver does not answer',
    actual: last.status,
    exchange: last.exchange,
    twin: submitted,
  });
}

/** Judges that events of other receivers arrive in time, of this account and of another. */
async function judgeOthers(parts: CheckParts): Promise<void> {
  const { keys, tasks, target, webhooks } = parts;
  const { K2: k2, K3: k3 } = keys;
  const model = anyTaskModel(target);
  await Promise.all(
    [undefined, k2, k3].map(async (key, place) => {
      if (place > 0 && key === undefined) return;
      const options = key === undefined ? {} : { key };
      const task = await submitObserved(parts, model, options);
      const { last } = await tasks.follow(task.taskId, options);
      const rule = { requirement: 'HOOK-001', aspect: 'sent-beside-slow' };
      const event = await firstEvent(webhooks, task, rule);
      // Another account has another secret.
      if (key !== k3) judged(parts, event, { taskId: task.taskId, status: last.status, record: last });
    }),
  );
}
