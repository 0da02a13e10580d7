import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { UpstreamRequest } from '../../engine/scene.ts';
import { type MediaInputs, smallestBody } from '../../generators/media-cells.ts';
import { legalRounds, type MediaRound } from '../../generators/media-rounds.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { must, part } from '../../rules/violation.ts';
import { judgeFields, viewOf, withLongTexts } from '../../steps/fields/arrivals.ts';
import { enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { rowOfRepeated } from './media-whole-request.ts';

const busy = { fault: { id: 'J1', form: 'rate-limit' } } as const;

const taskModels = mediaModels.filter(({ endpoint }) => endpoint === 'tasks');

/** Whether a task of a busy upstream is started again is open (reading B-106); what is sent then is not. */
export const busyTasksStayWhole: Check = defineCheck({
  id: 'route.task.busy-first',
  title: 'a task that its upstream is too busy to start is sent again with every field, its prompt whole',
  requirements: ['ROUTE-016', 'VID-032', ...taskModels.map(({ row }) => row)],
  kind: 'upstream',
  needs: ['upstream.control'],
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
  // A request without its prompt is not found among those of the scene, but its task fails.
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
