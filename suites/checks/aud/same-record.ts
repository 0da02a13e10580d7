import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { fieldOf } from '../../oracle/media/shared-fields.ts';
import { advise, must } from '../../rules/violation.ts';
import { judgeArrivals, type RuleOfArrival, textRule } from '../../steps/fields/arrivals.ts';
import { enabledModel, enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
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

const ruleOf: RuleOfArrival = (model, fault): Rule =>
  textRule(fault, 'AUD-016') ?? {
    requirement: model.id === 'voice-music' ? 'AUD-013' : fieldOf(model.id, fault.field).row,
    aspect: fault.sent ? 'forwarded' : 'default-sent',
  };

export const speech = defineCheck({
  id: 'aud.upstream.speech',
  title: 'every voice-v3 field reaches the upstream as sent, 0 and false too, or as its default',
  requirements: ['AUD-007', 'AUD-008', 'AUD-009', 'AUD-010', 'AUD-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'voice-v3')], ruleOf),
});

export const music = defineCheck({
  id: 'aud.upstream.music',
  title: 'voice-music prompt and duration reach the upstream as sent, a missing duration as 30 s',
  requirements: ['AUD-013', 'AUD-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'voice-music')], ruleOf),
});
