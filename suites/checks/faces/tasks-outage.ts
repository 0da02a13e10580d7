import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { Untestable } from '../../rules/violation.ts';
import { longestOutageMs } from '../../steps/failures/outage-state.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { mustSucceed } from '../../steps/media/own-tasks.ts';
import { isSuccess } from '../../wire/exchange.ts';

/** Enough consecutive failed submissions to open any usual breaker. */
const failing = 12;

/** How long to poll tasks that a gateway may hold back while their channel cools down, ms. */
const readForMs = 2_000;

export const failedJobsAreForgotten = defineCheck({
  id: 'faces.outage.tasks',
  title: `a model whose upstream failed ${failing} submissions makes tasks again within 60 s`,
  requirements: ['ROUTE-011'],
  kind: 'timing',
  needs: ['upstream.control', 'time', 'tasks'],
  clock: 'jump',
  run: async (parts) => {
    const { target, clock, cases, rng, newScene, tasks } = parts;
    const [model] = rng.shuffle(target.mediaModelsOf('tasks'));
    if (model === undefined) throw new Untestable('a model of tasks');
    const began = await failSubmissions(parts, model);
    await clock.elapse(longestOutageMs + 1_000);
    cases.count();
    const rule = { requirement: 'ROUTE-011', aspect: 'recovers' };
    const label = `${model}, healthy again`;
    // The first may be the probe of its channel, which shows nothing about it if its upstream blocks the prompt.
    const refused = newScene();
    await refused.script(blockedSubmit);
    const vain = await tasks.submit(refused.minimalMedia(model), { label: `${model}, blocked by policy` });
    if (isSuccess(vain)) await tasks.watch(tasks.accepted(vain).taskId, { withinMs: readForMs });
    const probe = await tasks.submit(newScene().minimalMedia(model), { label });
    if (isSuccess(probe)) await tasks.follow(tasks.accepted(probe).taskId, { label });
    const next = await tasks.submit(newScene().minimalMedia(model), { label });
    const { last } = await tasks.follow(tasks.accepted(next, rule).taskId, { label });
    const expected = `a task that succeeds ${longestOutageMs} ms after the last failure of its upstream`;
    mustSucceed(last, { ...rule, expected }, began);
  },
});

/**
 * Fails submissions upstream, and then lets the upstream recover. It blocks their prompts by policy if a gateway tries them
 * again. Returns the last submission.
 */
async function failSubmissions({ newScene, tasks }: CheckParts, model: string) {
  const scene = newScene();
  await scene.script(serverFault);
  const submitted = await Promise.all(
    Array.from({ length: failing }, (_, place) =>
      tasks.submit(scene.minimalMedia(model), { label: `${model}, failing upstream, ${place + 1}` }),
    ),
  );
  // Once the breaker is open, a gateway may refuse submissions too.
  const taken = submitted.filter(isSuccess).map((exchange) => tasks.accepted(exchange).taskId);
  await Promise.all(taken.map((taskId) => tasks.watch(taskId, { withinMs: readForMs })));
  await scene.script(blockedSubmit);
  return submitted.at(-1);
}
