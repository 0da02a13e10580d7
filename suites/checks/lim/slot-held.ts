import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part } from '../../rules/violation.ts';
import { passTimeouts } from '../../steps/failures/pass-timeouts.ts';
import { submitJob } from '../../steps/media/held-task.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import { callsFrom, holdWays } from '../../steps/ways/held-ways.ts';
import { type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { keepWayClosed, waysOf } from '../../steps/ways/ways-of.ts';
import { callersOf, holdCalls } from './held-calls.ts';

const rule = { requirement: 'LIM-004', aspect: 'freed-after-timeout' };

export const timeoutsFree = defineCheck({
  id: 'lim.slot.after-timeout',
  title: 'every slot is free again after upstream timeouts on every endpoint, plain and streamed',
  requirements: ['LIM-004'],
  kind: 'concurrency',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    const cap = parts.target.profile.cap.value;
    const lasting = (await waysOf(parts)).filter(({ lasts }) => lasts);
    const rounds = Math.max(cap, lasting.length);
    for (const { way } of callsFrom(lasting, 0, rounds)) {
      parts.cases.count();
      await part(() => timeOut(parts, way));
    }
    // A slot lost in any round above would be missing here.
    const held = await holdWays(parts, callsFrom(lasting, 0, cap), rule);
    await held.finish();
  },
});

async function timeOut(parts: CheckParts, way: WayIn): Promise<void> {
  await keepWayClosed(parts, way);
  const scene = parts.newScene();
  await scene.script({ hang: 'head' });
  const live = way.open(parts, way.body(scene), { label: `${wayLabel(way)}, a silent upstream` });
  await passTimeouts(parts, scene, live);
  const exchange = await live.done;
  const status = exchange.response?.status ?? 0;
  const expected = 'a 5xx for a silent upstream';
  must(status >= 500, { ...rule, expected, actual: `HTTP ${status}`, exchange });
}

export const tasksHoldNoSlot = defineCheck({
  id: 'lim.slot.tasks',
  title: 'running tasks take no slot: with more of them than the cap, the whole cap is available',
  requirements: ['LIM-007'],
  kind: 'concurrency',
  needs: ['upstream.control', 'tasks'],
  run: async (parts) => {
    const { target, cases, tasks } = parts;
    const cap = target.profile.cap.value;
    const models = oneOfEachKind(target);
    const rule = { requirement: 'LIM-007', aspect: 'whole-cap-beside-tasks' };
    for (let count = 0; count < cap + 2; count += 1) {
      cases.count();
      const { taskId } = await submitJob(
        parts,
        models[count % models.length] ?? '',
        { hold: 'running' },
        rule,
      );
      await tasks.follow(taskId, { until: ({ status }) => status === 'RUNNING', rule });
    }
    const held = await holdCalls(parts, { callers: callersOf(cap), ...rule });
    await held.finish();
  },
});
