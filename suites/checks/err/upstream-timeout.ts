import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { passTimeouts } from '../../steps/failures/pass-timeouts.ts';
import { keepClosed } from '../../steps/failures/strain.ts';

export const silenceIsUpstreamTimeout = defineCheck({
  id: 'err.code.upstream-timeout',
  title: 'an upstream that stays silent is answered 504 upstream_timeout, plain and with a stream asked for',
  requirements: ['ERR-031', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (kit) => {
    for (const model of dialectModels(kit)) await judgeSilence(kit, model);
  },
});

async function judgeSilence(kit: CheckParts, model: string): Promise<void> {
  const rule = { requirement: 'ERR-031', aspect: 'provoked' };
  const twin = await kit.http.chat(kit.newScene().minimal(model), { label: 'positive twin' });
  kit.judge.completed(twin, { ...rule, aspect: 'twin-served', model });
  for (const stream of [false, true]) {
    kit.cases.count();
    await keepClosed(kit, model);
    const scene = kit.newScene();
    await scene.script({ hang: 'head' });
    const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
    const live = kit.http.openChat(body, {
      label: `${model}, whose upstream is silent${stream ? ', stream' : ''}`,
    });
    await passTimeouts(kit, scene, live);
    kit.judge.refused(await live.done, { ...rule, codes: ['upstream_timeout'], twin });
  }
}
