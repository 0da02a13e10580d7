import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part } from '../../rules/violation.ts';
import { restLateMs } from '../../steps/failures/pass-timeouts.ts';
import { submitJob } from '../../steps/media/held-task.ts';
import { anyTaskModel, oneOfEachKind } from '../../steps/media/task-models.ts';

const hourMs = 3_600_000;

export const runsWithItsJob = defineCheck({
  id: 'state.moves.with-job',
  title: 'a task runs while its job runs, and succeeds with fetchable results once the job does',
  requirements: ['STATE-004', 'STATE-005', 'STATE-008', 'TASK-016', 'TASK-019'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    await Promise.all(
      oneOfEachKind(parts.target).flatMap((model) => [
        part(() => moveThrough(parts, model)),
        part(() => findByOddId(parts, model)),
      ]),
    );
  },
});

export const readersAgree = defineCheck({
  id: 'state.readers.agree',
  title: 'no reader, whatever its key or connection, sees an earlier state than one already seen',
  requirements: ['STATE-009', 'STATE-001', 'STATE-002'],
  kind: 'concurrency',
  needs: [],
  run: async (parts) => {
    const { cases, tasks, newScene, target } = parts;
    const { K1: k1, K2: k2, K4: k4, K5: k5 } = parts.keys;
    const keys = [k1, k2, k4, k5].filter((key) => key !== undefined);
    // Several tasks, so that some read falls on each change.
    const models = target.few([...oneOfEachKind(target), ...oneOfEachKind(target)]);
    await Promise.all(
      models.map(async (model) => {
        cases.count();
        const submitted = await tasks.submit(newScene().minimalMedia(model), { label: model });
        const { taskId } = tasks.accepted(submitted);
        await Promise.all(keys.map((key) => tasks.follow(taskId, { key, label: 'read by several keys' })));
      }),
    );
    const some = target.few(oneOfEachKind(target));
    await Promise.all(some.map((model) => readBeforeAndAfter(parts, model, keys)));
  },
});

export const terminalIsFinal = defineCheck({
  id: 'state.terminal.final',
  title: 'a task that has ended stays as it ended, in success and in failure, also after an hour',
  requirements: ['STATE-002', 'STATE-010'],
  kind: 'upstream',
  clock: 'jump',
  needs: ['upstream.control', 'hooks.clock'],
  run: async (parts) => {
    const { cases, tasks, target, clock } = parts;
    const ends = [
      { end: 'success' },
      { end: 'failed', error: { code: 'internal_error', message: 'It broke.' } },
      { end: 'canceled' },
    ] as const;
    const ended = await Promise.all(
      ends.map(async (job) => {
        cases.count();
        const { taskId } = await submitJob(parts, anyTaskModel(target), job);
        await tasks.follow(taskId);
        return taskId;
      }),
    );
    const stays = Math.min(hourMs, (target.profile.tasks.retention_ms ?? hourMs * 2) / 2);
    await clock.elapse(stays, Math.min(restLateMs, stays / 4));
    for (const taskId of ended) tasks.record(await tasks.read(taskId), taskId);
  },
});

/** All readers read a new task. After one reader has seen its end, the others see it in their next read. */
async function readBeforeAndAfter(
  { cases, tasks, newScene }: CheckParts,
  model: string,
  [first = '', ...others]: readonly string[],
): Promise<void> {
  cases.count();
  const submitted = await tasks.submit(newScene().minimalMedia(model), { label: model });
  const { taskId } = tasks.accepted(submitted);
  const look = async (when: string): Promise<void> => {
    for (const key of others)
      tasks.record(await tasks.read(taskId, { key, label: `another key, ${when}` }), taskId);
  };
  await look('at first');
  await tasks.follow(taskId, { key: first, label: 'followed by one key' });
  await look('after its end was seen');
}

/** An upstream may choose any job ids, including characters with a meaning in URLs. */
async function findByOddId(parts: CheckParts, model: string): Promise<void> {
  const { cases, rng, tasks } = parts;
  cases.count();
  const idTail = rng.shuffle(['+', '&x=1', '#2', '%2F', '=', '?']).join('');
  const { taskId, exchange } = await submitJob(parts, model, { id_tail: idTail });
  const { last } = await tasks.follow(taskId, { label: `${model}, whose job has an id with ${idTail}` });
  const rule = { requirement: 'STATE-005', aspect: 'found-by-odd-id', exchange: last.exchange };
  const expected = `status SUCCESS of a job whose id ends with ${idTail}`;
  must(last.status === 'SUCCESS', { ...rule, expected, actual: last.status, twin: exchange });
  await tasks.results(last);
}

async function moveThrough(parts: CheckParts, model: string): Promise<void> {
  const { cases, tasks } = parts;
  cases.count();
  const { scene, taskId, exchange } = await submitJob(parts, model, { hold: 'running' });
  const running = await tasks.watch(taskId, { until: ({ status }) => status === 'RUNNING' });
  const runs = { requirement: 'STATE-004', aspect: 'runs-with-job', twin: exchange };
  const seen = { actual: running.last.status, exchange: running.last.exchange };
  must(running.isDone, { ...runs, expected: 'status RUNNING once the job is started', ...seen });
  await scene.moveJob(await scene.job(), { end: 'success' });
  const { last } = await tasks.follow(taskId);
  const rule = { requirement: 'STATE-005', aspect: 'succeeds', exchange: last.exchange, twin: exchange };
  const expected = 'status SUCCESS of a job that its upstream completed';
  must(last.status === 'SUCCESS', { ...rule, expected, actual: last.status });
  await tasks.results(last);
}
