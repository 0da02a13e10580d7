import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { type MediaInputs, smallestBody } from '../../generators/media-cells.ts';
import { legalRounds, type MediaRound } from '../../generators/media-rounds.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import type { MediaRouteProfile } from '../../profile/profile.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import { judgeFields, viewOf, withLongTexts } from '../../steps/fields/arrivals.ts';
import { enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { mustSucceed } from '../../steps/media/own-tasks.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { rowOfRepeated } from './media-whole-request.ts';

/** Failures after which no upstream starts a job. */
const causes = ['rate-limit', 'overloaded', 'server-error'] as const;

/** A task whose first channel fails before its job starts, on a model with a second channel. */
export const otherChannelStartsTheTask = defineCheck({
  id: 'route.task.other-channel',
  title: 'a task whose first channel starts no job runs once on another one and yields its results',
  requirements: ['ROUTE-016', 'ROUTE-007', 'TASK-018', 'TASK-019'],
  kind: 'upstream',
  needs: ['upstream.control', 'tasks'],
  run: async (parts) => {
    const routes = (parts.target.profile.upstream?.media_routes ?? []).filter(({ channels }) =>
      channels.every(({ dialect }) => dialect !== 'images'),
    );
    if (routes.length === 0) throw new Untestable('upstream.media_routes');
    await Promise.all(routes.map((route) => judgeRoute(parts, route)));
  },
});

async function judgeRoute(
  { cases, newScene, rng, tasks }: CheckParts,
  { model, channels }: MediaRouteProfile,
): Promise<void> {
  cases.count();
  const [first] = channels;
  const scene = newScene();
  const form = rng.pick(causes);
  await scene.scriptOn(first?.name ?? '', { fault: { id: 'J1', form } });
  const label = `${model}, whose first channel starts no job (${form})`;
  const submitted = await tasks.submit(scene.minimalMedia(model), { label });
  const { taskId } = tasks.accepted(submitted);
  const { last } = await tasks.follow(taskId, { label });
  const jobs = await scene.jobs(0);
  must(jobs.length <= 1, {
    requirement: 'ROUTE-007',
    aspect: 'one-job',
    expected: 'one job on one of the channels',
    actual: jobs.map(({ channel }) => channel).join(', '),
    exchange: last.exchange,
  });
  const expected = 'SUCCESS by the healthy channel';
  mustSucceed(last, { requirement: 'ROUTE-016', aspect: 'other-channel', expected }, submitted);
  await tasks.results(last);
}

const busy = { fault: { id: 'J1', form: 'rate-limit' } } as const;

const taskModels = mediaModels.filter(({ endpoint }) => endpoint === 'tasks');

/** Whether a rejected task is retried is open (reading B-106). If it is, the repeated request must be complete. */
export const busyTasksStayWhole: Check = defineCheck({
  id: 'route.task.busy-first',
  title: 'a task that a busy upstream rejects is sent again with every field and its whole prompt',
  requirements: ['ROUTE-016', 'VID-032', ...taskModels.map(({ row }) => row)],
  kind: 'upstream',
  needs: ['upstream.control', 'tasks'],
  run: async (parts) => {
    const { cases, target } = parts;
    const some = oneOfEachKind(target);
    const models = enabledModels(target, taskModels).filter(({ id }) => cases.full || some.includes(id));
    // After each other: most of them share a channel.
    for (const model of models) await part(() => judgeModel(parts, model));
  },
});

async function judgeModel(parts: CheckParts, model: MediaModel): Promise<void> {
  const { rng, judge } = parts;
  const short = await startBusy(parts, model, (body) => body);
  const { exchange, body, requests, last } = await startBusy(parts, model, (least, inputs) => ({
    ...legalRounds(model, inputs).at(-1)?.body,
    ...withLongTexts(least, rng),
  }));
  const rule = { requirement: rowOfRepeated(model), aspect: 'same-request' };
  for (const request of requests) {
    const view = viewOf(request, model.id);
    if (view !== null) judgeFields({ model, body }, { view, request }, exchange, () => rule);
  }
  if (short.last.status !== 'SUCCESS') {
    judge.note(`${model.id}: a busy upstream ends its tasks as ${short.last.status}`);
    return;
  }
  // A request that lost its prompt cannot be assigned to the scene, but its task fails.
  const actual = `${last.status}, ${JSON.stringify(last.error)}, after ${requests.length} requests with its prompt`;
  must(last.status === 'SUCCESS', {
    ...rule,
    expected: `SUCCESS of a task of ${model.id} with long fields, as of one with short fields`,
    actual,
    exchange: last.exchange,
    twin: short.last.exchange,
  });
}

interface Started {
  readonly body: MediaRound['body'];
  readonly exchange: Exchange;
  readonly requests: readonly UpstreamRequest[];
  readonly last: TaskRecord;
}

/** Submits a task whose upstream is busy at first, and follows it to its end. */
async function startBusy(
  parts: CheckParts,
  model: MediaModel,
  bodyOf: (least: MediaRound['body'], inputs: MediaInputs) => MediaRound['body'],
): Promise<Started> {
  const { cases, newScene, tasks } = parts;
  cases.count();
  const scene = newScene();
  await scene.script(busy, busy, {});
  const inputs = mediaInputsOf(parts, scene);
  const body = bodyOf(smallestBody(model, inputs, 'busy'), inputs);
  const exchange = await tasks.submit({ ...body }, { label: `${model.id}, whose upstream is busy at first` });
  const { taskId } = tasks.accepted(exchange, { requirement: model.row, aspect: 'accepts-legal' });
  const { last } = await tasks.follow(taskId);
  return { body, exchange, requests: await scene.requestsNow(), last };
}

/** Submissions that hang upstream at once. */
const hanging = 12;

const requirement = 'ROUTE-012';

export const hangingJobsAreOneModels = defineCheck({
  id: 'route.outage.hanging-jobs',
  title: `${hanging} submissions that hang at the upstream of one model leave tasks of another model alone`,
  requirements: [requirement],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { newScene, tasks, target, rng, judge } = parts;
    const models = target.mediaModelsOf('tasks').filter((id) => id.startsWith('vid'));
    const [ill, other] = rng.shuffle(models);
    if (ill === undefined || other === undefined) throw new Untestable('two video models');
    const scene = newScene();
    await scene.script({ gates: ['head'] });
    const submitted = await Promise.all(
      Array.from({ length: hanging }, (_, place) =>
        tasks.submit(scene.minimalMedia(ill), { label: `${ill}, hangs upstream, ${place + 1}` }),
      ),
    );
    const taskIds = submitted.map((exchange) => tasks.accepted(exchange).taskId);
    try {
      if (!(await scene.held(hanging))) judge.note(`fewer than ${hanging} submissions are made at once`);
      await Promise.all(
        [parts.keys.K1, parts.keys.K4].map((key) => (key ? judgeServed(parts, other, ill, key) : undefined)),
      );
    } finally {
      await scene.script({});
      await scene.release();
    }
    await Promise.all(taskIds.map((taskId) => tasks.follow(taskId, { label: `${ill}, let go` })));
  },
});

async function judgeServed(
  { cases, newScene, tasks, judge }: CheckParts,
  model: string,
  ill: string,
  key: string,
): Promise<void> {
  cases.count();
  const label = `${model}, while ${ill} hangs`;
  const submitted = await tasks.submit(newScene().minimalMedia(model), { key, label });
  const { last } = await tasks.watch(tasks.accepted(submitted).taskId, { key, label });
  if (last.status === 'SUCCESS') return;
  // The specification says neither how many tasks start at once nor how soon, so this is only advised.
  judge.advise({
    ...{ requirement, aspect: 'served-beside-hanging', exchange: last.exchange, twin: submitted },
    expected: `a task on ${model} that succeeds while ${hanging} others on ${ill} wait for their upstream`,
    actual: last.status,
  });
}
