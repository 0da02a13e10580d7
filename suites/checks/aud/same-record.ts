import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import { must } from '../../rules/violation.ts';
import { enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { mediaType } from '../../wire/exchange.ts';
import { describeMedia } from '../../wire/media.ts';

export const audioTasksAreTasks = defineCheck({
  id: 'aud.tasks.same-record',
  title: 'speech, music and performances are ordinary tasks that end in audio or video',
  requirements: ['AUD-011', 'AUD-015'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const models = enabledModels(
      parts.target,
      mediaModels.filter(({ medium }) => medium === 'audio'),
    );
    await Promise.all(models.map((model) => judgeTask(parts, model)));
  },
});

async function judgeTask(parts: CheckParts, model: MediaModel): Promise<void> {
  const { cases, newScene, tasks } = parts;
  cases.count();
  const body = smallestBody(model, mediaInputsOf(parts, newScene()), 'sound');
  const submitted = await tasks.submit(body, { label: model.id });
  must(!/^(?:audio|video)\//.test(mediaType(submitted)), {
    requirement: 'AUD-011',
    aspect: 'never-at-once',
    expected: 'the id of a task',
    actual: `${mediaType(submitted)} in the answer to the submission`,
    exchange: submitted,
  });
  const { taskId } = tasks.accepted(submitted, { requirement: 'AUD-011', aspect: 'is-a-task' });
  tasks.record(await tasks.read(taskId), taskId, { requirement: 'AUD-015', aspect: 'same-record' });
  const { last } = await tasks.follow(taskId);
  must(last.status === 'SUCCESS', {
    requirement: 'AUD-015',
    aspect: 'same-statuses',
    expected: `${model.id}: SUCCESS of a job that its upstream completes`,
    actual: last.status,
    exchange: last.exchange,
    twin: submitted,
  });
  const kind = model.id === 'motion-act-two' ? 'video' : 'audio';
  for (const { sniffed, exchange } of await tasks.results(last))
    must(sniffed.kind === kind, {
      requirement: model.row,
      aspect: 'kind-of-result',
      expected: `${kind} of ${model.id}`,
      actual: describeMedia(sniffed),
      exchange: last.exchange,
      twin: exchange,
    });
  if (model.id === 'voice-music')
    must(last.durationSec === null || last.durationSec === 30, {
      requirement: 'AUD-013',
      aspect: 'length-made',
      expected: '30 s, the default',
      actual: `duration_sec ${last.durationSec}`,
      exchange: last.exchange,
      twin: submitted,
    });
}
