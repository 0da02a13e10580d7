import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { passTimeouts } from '../../steps/failures/pass-timeouts.ts';

export const silenceIsUpstreamTimeout = defineCheck({
  id: 'err.code.upstream-timeout',
  title: 'an upstream that stays silent is answered 504 upstream_timeout, plain and streamed',
  requirements: ['ERR-031', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    for (const model of dialectModels(parts.target)) await part(() => judgeSilence(parts, model));
  },
});

async function judgeSilence(parts: CheckParts, model: string): Promise<void> {
  const { http, newScene, judge, cases } = parts;
  const rule = { requirement: 'ERR-031', aspect: 'provoked' };
  const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
  judge.completed(twin, { ...rule, aspect: 'twin-served', model });
  for (const stream of [false, true]) {
    cases.count();
    await keepClosed(parts, model);
    const scene = newScene();
    await scene.script({ hang: 'head' });
    const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
    const live = http.openChat(body, {
      label: `${model}, whose upstream is silent${stream ? ', stream' : ''}`,
    });
    await passTimeouts(parts, scene, live);
    judge.refused(await live.done, { ...rule, codes: ['upstream_timeout'], twin });
  }
}
