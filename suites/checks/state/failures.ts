import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { must } from '../../rules/violation.ts';
import { submitJob } from '../../steps/media/held-task.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';

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
