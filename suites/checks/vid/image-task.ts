import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import { unknownIdLike } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import { viewOf } from '../../steps/fields/arrivals.ts';
import { judgeAlike } from '../../steps/fields/judge-alike.ts';
import { enabledModel, hasControl, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { judgeRefusedParent, oddParents } from '../../steps/media/odd-parents.ts';
import { makeStep, stepBody } from '../../steps/media/workflow.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const accepted = defineCheck({
  id: 'vid.image-task.accepted',
  title: 'vidA-3.1-quality takes an earlier image task by its id, and refuses an unknown id',
  requirements: ['VID-009'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { tasks, judge } = parts;
    const { body, taskId } = await arrange(parts);
    const exchange = await judgeTaken(parts, body, taskId, 'task-accepted');
    const unknown = { ...body, image: { task_id: unknownIdLike(taskId) } };
    const rule = { requirement: 'VID-009', aspect: 'unknown-refused' };
    const refusal = await tasks.submit(unknown, { label: 'image by an unknown id' });
    judgeRefusedParent(judge, refusal, 'image', { ...rule, twin: exchange });
    const single = await makeStep(parts, 'upscale', stepBody('upscale', taskId, 2));
    await judgeTaken(parts, body, single.taskId, 'upscale-accepted');
  },
});

export const kinds = defineCheck({
  id: 'vid.image-task.kind',
  title: 'only vidA-3.1-quality accepts an image by its task, and only by one that ended in an image',
  requirements: ['VID-009', 'VID-011'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, tasks, judge, target } = parts;
    const { body, taskId, submitted } = await arrange(parts);
    for (const { what, taskId: id, aspect } of await oddParents(parts, 'journey-v7')) {
      cases.count();
      const exchange = await tasks.submit({ ...body, image: { task_id: id } }, { label: `image of ${what}` });
      judgeRefusedParent(judge, exchange, 'image', { requirement: 'VID-009', aspect, twin: submitted });
    }
    if (!target.mediaModels.includes('vidA-3.1-fast')) return;
    const fast = { ...newScene().minimalMedia('vidA-3.1-fast'), image: { task_id: taskId } };
    const rule = { requirement: 'VID-011', aspect: 'task-refused', twin: submitted };
    judgeRefusedParent(judge, await tasks.submit(fast, { label: 'image by its task' }), 'image', rule);
  },
});

export const foreign = defineCheck({
  id: 'vid.image-task.foreign',
  title: 'vidA-3.1-quality refuses a foreign image task in the same words as an unknown one',
  requirements: ['VID-009'],
  kind: 'example',
  needs: ['keys.K3'],
  run: async (parts) => {
    const { accounts, tasks, judge } = parts;
    const { body, taskId } = await arrange(parts);
    const key = accounts.key('K3');
    const by = (id: string): Promise<Exchange> =>
      tasks.submit({ ...body, image: { task_id: id } }, { key, label: 'image by a task id' });
    const [strange, unknown] = [await by(taskId), await by(unknownIdLike(taskId))];
    const rule = { requirement: 'VID-009', aspect: 'unknown-refused' };
    for (const exchange of [strange, unknown]) judgeRefusedParent(judge, exchange, 'image', rule);
    judgeAlike(strange, unknown, { requirement: 'VID-009', aspect: 'foreign-like-unknown' });
  },
});

interface Arranged {
  readonly body: Record<string, unknown>;
  readonly taskId: string;
  readonly submitted: Exchange;
}

/** A body of the model, and an image task that succeeded. */
async function arrange(parts: CheckParts): Promise<Arranged> {
  const { newScene, tasks, target } = parts;
  const model = enabledModel(target, 'vidA-3.1-quality');
  const inputs = mediaInputsOf(parts, newScene());
  const picture = smallestBody(enabledModel(target, 'journey-v7'), inputs, 'picture');
  const { taskId, submitted } = await tasks.make(picture);
  return { body: smallestBody(model, inputs, 'film'), taskId, submitted };
}

/** Judges that an image task is accepted by its id, and that one of its images reaches the upstream. */
async function judgeTaken(
  { newScene, tasks, http, target, cases }: CheckParts,
  body: Readonly<Record<string, unknown>>,
  taskId: string,
  aspect: string,
): Promise<Exchange> {
  cases.count();
  const scene = newScene();
  const own = { ...body, model: String(body.model), prompt: scene.prompt(), image: { task_id: taskId } };
  const exchange = await tasks.submit(own, { label: 'image by its task' });
  tasks.accepted(exchange, { requirement: 'VID-009', aspect });
  if (!hasControl(target)) return exchange;
  const [request] = await scene.requests();
  const view = request === undefined ? null : viewOf(request, own.model);
  const picture = typeof view?.fields.image === 'string' ? await http.fetch(view.fields.image) : null;
  const made = await tasks.results(tasks.record(await tasks.read(taskId), taskId));
  const isOfTask = picture !== null && made.some(({ bytes }) => bytes.equals(picture.bytes));
  const rule = { requirement: 'VID-009', aspect: 'picture-of-task', exchange, upstream: request?.text };
  const expected = 'one of the images of the named task, at the upstream';
  const actual = JSON.stringify(view?.fields.image ?? null).slice(0, 200);
  must(isOfTask, { ...rule, expected, actual });
  return exchange;
}
