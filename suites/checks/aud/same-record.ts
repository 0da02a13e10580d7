import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import { advise, must } from '../../rules/violation.ts';
import { enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { mediaType } from '../../wire/exchange.ts';
import { describeMedia } from '../../wire/media.ts';

export const audioTasksAreTasks = defineCheck({
  id: 'aud.tasks.same-record',
  title: 'speech, music and performances are ordinary tasks that end in audio or video',
  requirements: ['AUD-011', 'AUD-013', 'AUD-015'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const models = mediaModels.filter(({ medium }) => medium === 'audio');
    await Promise.all(enabledModels(parts.target, models).map((model) => judgeTask(parts, model)));
  },
});

async function judgeTask(parts: CheckParts, model: MediaModel): Promise<void> {
  const { cases, newScene, tasks } = parts;
  cases.count();
  const body = smallestBody(model, mediaInputsOf(parts, newScene()), 'sound');
  const submitted = await tasks.submit(body, { label: model.id });
  const type = mediaType(submitted);
  const never = { requirement: 'AUD-011', aspect: 'never-at-once', exchange: submitted };
  const actual = `${type} in the answer to the submission`;
  must(!/^(?:audio|video)\//.test(type), { ...never, expected: 'the id of a task', actual });
  const { taskId } = tasks.accepted(submitted, { requirement: 'AUD-011', aspect: 'is-a-task' });
  tasks.record(await tasks.read(taskId), taskId, { requirement: 'AUD-015', aspect: 'same-record' });
  const { last } = await tasks.follow(taskId);
  const evidence = { exchange: last.exchange, twin: submitted };
  const status = { requirement: 'AUD-015', aspect: 'same-statuses', ...evidence };
  const success = `${model.id}: SUCCESS of a job that its upstream completes`;
  must(last.status === 'SUCCESS', { ...status, expected: success, actual: last.status });
  const kind = model.id === 'motion-act-two' ? 'video' : 'audio';
  for (const { sniffed, exchange } of await tasks.results(last)) {
    const rule = { requirement: model.row, aspect: 'kind-of-result', ...evidence, twin: exchange };
    const expected = `${kind} of ${model.id}`;
    must(sniffed.kind === kind, { ...rule, expected, actual: describeMedia(sniffed) });
  }
  const { durationSec: seconds } = last;
  const length = { requirement: 'AUD-013', aspect: 'length-made', ...evidence };
  const isUsual = !tasks.showsLength || model.id !== 'voice-music' || seconds === null || seconds === 30;
  advise(isUsual, { ...length, expected: '30 s, the default', actual: `duration_sec ${seconds}` });
}
