import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
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

async function judgeSilence(kit: Kit, model: string): Promise<void> {
  const rule = { requirement: 'ERR-031', aspect: 'provoked' };
  const twin = await kit.chat(kit.scene().minimal(model), { label: 'positive twin' });
  kit.completed(twin, { ...rule, aspect: 'twin-served', model });
  for (const stream of [false, true]) {
    kit.countCase();
    await keepClosed(kit, model);
    const scene = kit.scene();
    await scene.script({ hang: 'head' });
    const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
    const live = kit.openChat(body, {
      label: `${model}, whose upstream is silent${stream ? ', stream' : ''}`,
    });
    await passTimeouts(kit, scene, live);
    kit.refused(await live.done, { ...rule, codes: ['upstream_timeout'], twin });
  }
}
