import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type BodyForm, bodyFormNames, tellingReply } from '../../generators/upstream-body.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { Untestable } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { judgeHidden } from '../../steps/failures/judge-hidden.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { textStaysInside } from '../../steps/protocols/text-stays-inside.ts';
import { judgeFailingTask } from './failing-task.ts';

export const upstreamTextStaysInside = textStaysInside({
  id: 'err.upstream.text',
  title: 'upstream error text never reaches the caller, who gets one of the documented codes',
  requirements: ['ERR-009', 'ERR-002', 'ERR-006'],
  needs: ['upstream.control'],
  protocol: coreProtocol,
  models: ({ target }) => dialectModels(target),
  requirement: 'ERR-009',
  judgeRefused: (judge, exchange, codes) => {
    judge.refused(exchange, { requirement: 'ERR-009', aspect: 'normalized', codes });
  },
});

/** Statuses that no gateway retries. The checks of job faults judge other failures. */
const statuses = [400, 418, 422] as const;
const quickForms: readonly BodyForm[] = ['native error', 'html', 'empty'];

export const jobsTextStaysInside = defineCheck({
  id: 'err.upstream.jobs-text',
  title: 'error text of an upstream that refuses a job reaches neither the answer nor the record of its task',
  requirements: ['ERR-009', 'STATE-006'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, rng, target } = parts;
    const models = rng.shuffle(target.mediaModels.filter((id) => mediaModel(id)?.medium === 'video'));
    if (models.length === 0) throw new Untestable('a video model');
    const forms = cases.full ? bodyFormNames : quickForms;
    const all = forms.flatMap((form) => statuses.map((status) => ({ form, status })));
    await Promise.all(
      all.map(({ form, status }, place) =>
        judgeRefusedJob(parts, models[place % models.length] ?? '', form, status),
      ),
    );
  },
});

async function judgeRefusedJob(
  parts: CheckParts,
  model: string,
  form: BodyForm,
  status: number,
): Promise<void> {
  const { newScene, rng, target } = parts;
  const scene = newScene();
  const canary = `canary${rng.hex(12)}`;
  // Upstreams of jobs word their errors as chat-completions upstreams do.
  await scene.script(tellingReply(form, canary, { dialect: 'chat-completions', status }));
  const rule = { requirement: 'ERR-009', aspect: 'jobs-normalized', codes: codesFor(status) };
  const label = `${model}: upstream ${status}, ${form}`;
  const seen = await judgeFailingTask(parts, scene, model, { label, rule });
  const secrets = [canary, ...(target.profile.upstream?.keys ?? [])];
  for (const exchange of seen)
    judgeHidden(exchange, secrets, 'STATE-006', `the upstream's ${status} (${form})`);
}
