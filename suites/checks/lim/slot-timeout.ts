import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { passTimeouts } from '../../steps/failures/pass-timeouts.ts';
import { keepClosed } from '../../steps/failures/strain.ts';
import { callersOf, holdCalls } from './held-calls.ts';

const rule = { requirement: 'LIM-004', aspect: 'freed-after-timeout' };

export const timeoutsFree = defineCheck({
  id: 'lim.slot.after-timeout',
  title: 'after as many upstream timeouts as the cap counts, plain and streamed, every slot is free again',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (kit) => {
    const cap = kit.target.profile.cap.value;
    for (let round = 0; round < cap; round += 1) {
      kit.cases.count();
      await timeOut(kit, round % 2 === 1);
    }
    const held = await holdCalls(kit, { callers: callersOf(cap), ...rule });
    await held.finish();
  },
});

async function timeOut(kit: CheckParts, stream: boolean): Promise<void> {
  const model = kit.target.anyModel();
  await keepClosed(kit, model);
  const scene = kit.newScene();
  await scene.script({ hang: 'head' });
  const live = kit.http.openChat({ ...scene.minimal(model), stream }, { label: 'a silent upstream' });
  await passTimeouts(kit, scene, live);
  const exchange = await live.done;
  const status = exchange.response?.status ?? 0;
  must(status >= 500, {
    ...rule,
    expected: 'a 5xx for a silent upstream',
    actual: `HTTP ${status}`,
    exchange,
  });
}
