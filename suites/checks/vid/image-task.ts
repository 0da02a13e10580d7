import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import type { MediaModel } from '../../oracle/media/models.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { unknownIdLike } from '../../oracle/media/unknown-id.ts';
import { must } from '../../rules/violation.ts';
import { viewOf } from '../../steps/fields/arrivals.ts';
import { judgeAlike } from '../../steps/fields/judge-alike.ts';
import { enabledModel, hasControl, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import type { Exchange } from '../../wire/exchange.ts';

const accepted = defineCheck({
  id: 'vid.image-task.accepted',
  title: 'vidA-3.1-quality takes an earlier image task by its id, and refuses an unknown id',
  requirements: ['VID-009'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, tasks, http, judge, target } = parts;
    const { model, body, taskId, last } = await arrange(parts);
    const scene = newScene();
    const own = { ...body, prompt: scene.prompt(), image: { task_id: taskId } };
    const exchange = await tasks.submit(own, { label: 'image by its task' });
    tasks.accepted(exchange, { requirement: 'VID-009', aspect: 'task-accepted' });
    const unknown = { ...body, image: { task_id: unknownIdLike(taskId) } };
    judgeRefused(judge, await tasks.submit(unknown, { label: 'image by an unknown id' }), exchange);
    if (!hasControl(target)) return;
    const [request] = await scene.requests();
    const view = request === undefined ? null : viewOf(request, model.id);
    const picture = typeof view?.fields.image === 'string' ? await http.fetch(view.fields.image) : null;
    const made = await tasks.results(last);
    const isOfTask = picture !== null && made.some(({ bytes }) => bytes.equals(picture.bytes));
    const rule = { requirement: 'VID-009', aspect: 'picture-of-task', exchange, upstream: request?.text };
    const expected = 'one of the pictures of the named task, at the upstream';
    const actual = JSON.stringify(view?.fields.image ?? null).slice(0, 200);
    must(isOfTask, { ...rule, expected, actual });
  },
});

const foreign = defineCheck({
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
    for (const exchange of [strange, unknown]) judgeRefused(judge, exchange);
    judgeAlike(strange, unknown, { requirement: 'VID-009', aspect: 'foreign-like-unknown' });
  },
});

export const imageTaskChecks: readonly Check[] = [accepted, foreign];

interface Arranged {
  readonly model: MediaModel;
  readonly body: Record<string, unknown>;
  readonly taskId: string;
  readonly last: TaskRecord;
}

/** A body of the model, and an image task that succeeded. */
async function arrange(parts: CheckParts): Promise<Arranged> {
  const { newScene, tasks, target } = parts;
  const model = enabledModel(target, 'vidA-3.1-quality');
  const inputs = mediaInputsOf(parts, newScene());
  const picture = smallestBody(enabledModel(target, 'journey-v7'), inputs, 'picture');
  const { taskId, last } = await tasks.make(picture);
  return { model, body: smallestBody(model, inputs, 'film'), taskId, last };
}

function judgeRefused(judge: Judge, exchange: Exchange, twin?: Exchange): void {
  const rule = { requirement: 'VID-009', aspect: 'unknown-refused', twin };
  const { code } = judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
  if (code === 'invalid_param')
    judge.refused(exchange, { ...rule, codes: [code], param: 'image', paramRule: 'VID-009' });
}
