import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { passTimeouts } from '../../steps/failures/pass-timeouts.ts';
import { callersOf, holdCalls } from './held-calls.ts';

const rule = { requirement: 'LIM-004', aspect: 'freed-after-timeout' };

export const timeoutsFree = defineCheck({
  id: 'lim.slot.after-timeout',
  title: 'every slot is free again after as many upstream timeouts as the cap, plain and streamed',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    const cap = parts.target.profile.cap.value;
    for (let round = 0; round < cap; round += 1) {
      parts.cases.count();
      await timeOut(parts, round % 2 === 1);
    }
    const held = await holdCalls(parts, { callers: callersOf(cap), ...rule });
    await held.finish();
  },
});

async function timeOut(parts: CheckParts, stream: boolean): Promise<void> {
  const { target, newScene, http } = parts;
  const model = target.anyModel();
  await keepClosed(parts, model);
  const scene = newScene();
  await scene.script({ hang: 'head' });
  const live = http.openChat({ ...scene.minimal(model), stream }, { label: 'a silent upstream' });
  await passTimeouts(parts, scene, live);
  const exchange = await live.done;
  const status = exchange.response?.status ?? 0;
  const expected = 'a 5xx for a silent upstream';
  must(status >= 500, { ...rule, expected, actual: `HTTP ${status}`, exchange });
}
