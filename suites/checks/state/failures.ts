import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { must } from '../../rules/violation.ts';
import { submitJob } from '../../steps/media/held-task.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

/** The upstream's codes of a failed job. */
const codes = ['content_policy_violation', 'invalid_input', 'internal_error', 'gpu_on_fire'];

export const failedJobFails: Check = defineCheck({
  id: 'state.failed.normalised',
  title: "a failed job makes its task FAILED, without results or any of the upstream's wording",
  requirements: ['STATE-006', 'STATE-002'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    await Promise.all(
      oneOfEachKind(parts.target).flatMap((model, place) =>
        // Each kind meets each code in a full run, and two of them in a quick one.
        (parts.cases.full ? codes : [codes[place % codes.length], codes[(place + 2) % codes.length]]).map(
          (code) => fail(parts, model, code ?? ''),
        ),
      ),
    );
  },
});

async function fail(parts: CheckParts, model: string, code: string): Promise<void> {
  const { cases, rng, tasks } = parts;
  cases.count();
  const secret = `raw-${rng.hex(10)}`;
  const message = `Internal: ${secret} failed on node 7. Request id: ${secret}`;
  const { taskId, exchange } = await submitJob(parts, model, { end: 'failed', error: { code, message } });
  const { last } = await tasks.follow(taskId, { label: `${model}, ${code}` });
  const own = { requirement: 'STATE-006', exchange: last.exchange, twin: exchange };
  const failed = `status FAILED of a job that failed with ${code}`;
  must(last.status === 'FAILED', { ...own, aspect: 'fails-with-job', expected: failed, actual: last.status });
  const text = answerText(last.exchange);
  const clean = {
    ...own,
    aspect: 'no-upstream-text',
    expected: 'a record without the words of the upstream',
  };
  must(!text.includes(secret), { ...clean, actual: text.slice(-300) });
  const known = ['content_filter', 'invalid_param', 'upstream_error', 'upstream_timeout', 'channel_outage'];
  const ofUpstream = { ...own, aspect: 'error-of-upstream', expected: `an error of ${known.join(', ')}` };
  const isKnown = last.error === null || known.includes(last.error.code);
  must(isKnown, { ...ofUpstream, actual: last.error?.code ?? '' });
}

export const imageCallsAreNoTasks = defineCheck({
  id: 'state.calls.no-task',
  title: 'chat and image answers are complete, without task or status, and their ids are not task ids',
  requirements: ['STATE-015'],
  kind: 'example',
  needs: [],
  run: async ({ target, http, newScene, judge, images, tasks }) => {
    const [model] = target.mediaModelsOf('images').filter((id) => id !== 'edit-image');
    const chatModel = target.anyModel();
    const chat = await http.chat(newScene().minimal(chatModel), { label: 'a chat' });
    const oneAnswer = { requirement: 'STATE-015', aspect: 'one-answer' };
    const { id } = judge.completed(chat, { ...oneAnswer, model: chatModel });
    judgeNoTask(chat);
    if (model !== undefined) {
      const picture = await images.generate(newScene().minimalMedia(model), { label: 'an image' });
      judgeNoTask(picture);
      images.pictured(picture, { ...oneAnswer, form: null });
    }
    const read = await tasks.read(id, { label: 'the id of a chat read as a task' });
    const rule = { requirement: 'STATE-015', aspect: 'no-task', twin: chat };
    judge.refused(read, { ...rule, codes: ['task_not_found'] });
  },
});

function judgeNoTask(exchange: Exchange): void {
  const body = (jsonOf(exchange) ?? {}) as Record<string, unknown>;
  const found = ['task_id', 'status', 'result_urls'].filter((name) => Object.hasOwn(body, name));
  const rule = { requirement: 'STATE-015', aspect: 'no-task-members', exchange };
  const expected = 'an answer without the members of a task';
  must(found.length === 0, { ...rule, expected, actual: found.join(', ') });
}
