import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { bearer, type JsonObject } from '../../engine/requests.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { submitJob } from '../../steps/media/held-task.ts';
import { mustSucceed } from '../../steps/media/own-tasks.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Requests that would cancel or change a task, if any path accepted them. */
const methods: readonly (readonly [method: string, body?: JsonObject])[] = [
  ['DELETE'],
  ['PATCH', { status: 'FAILED' }],
  ['PUT', { status: 'EXPIRED' }],
  ['POST', { action: 'cancel' }],
];

const requirement = 'EP-013';

export const runningTaskIsLeftAlone = defineCheck({
  id: 'ep.methods.running-task',
  title: 'the path of a running task takes no other method than GET, and the task runs on',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'tasks'],
  run: async (parts) => {
    const { tasks, target, rng } = parts;
    const videos = target.mediaModelsOf('tasks').filter((id) => id.startsWith('vid'));
    const model = rng.pick(videos.length > 0 ? videos : target.mediaModelsOf('tasks'));
    const { scene, taskId } = await submitJob(parts, model, { hold: 'running' });
    await tasks.follow(taskId, { until: ({ status }) => status !== 'QUEUED' });
    for (const [method, body] of methods) {
      const exchange = await refused(parts, taskId, method, body);
      const { status } = tasks.record(await tasks.read(taskId, { label: `after ${method}` }), taskId, {
        requirement,
        aspect: 'task-unchanged',
      });
      const [job] = await scene.jobs();
      must(status === 'RUNNING' && job?.status === 'running', {
        ...{ requirement, aspect: 'task-unchanged', exchange },
        expected: 'a task that runs on, and its job as well',
        actual: `${status}, its job ${job?.status ?? 'gone'}`,
      });
    }
    const job = await scene.job();
    await scene.moveJob(job, { end: 'success' });
    const { last } = await tasks.follow(taskId);
    mustSucceed(last, { requirement, aspect: 'task-unchanged', expected: 'the task, not cancelled' });
  },
});

async function refused(
  { cases, http, keys }: CheckParts,
  taskId: string,
  method: string,
  body: JsonObject | undefined,
): Promise<Exchange> {
  cases.count();
  const path = `/api/v1/tasks/${encodeURIComponent(taskId)}`;
  const exchange = await http.send({
    method,
    path,
    headers: bearer(keys.K1),
    label: `${method} of a running task`,
    ...(body === undefined ? {} : { body }),
  });
  judgeOpenRefusal(exchange, { requirement, aspect: 'method-of-task', statuses: [404, 405] });
  return exchange;
}
