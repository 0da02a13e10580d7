import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { passTimeouts } from '../../steps/failures/pass-timeouts.ts';
import { spendings, spentAccount } from '../../steps/money/spent-accounts.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { judgeSameAgain } from './same-again.ts';

export const spentIsQuotaExceeded = defineCheck({
  id: 'err.code.quota-exceeded',
  title: 'quota_exceeded has its status and type for spent credits and quota, plain and streamed',
  requirements: ['ERR-021', 'ERR-006', 'ERR-007', 'ERR-008', 'ERR-013'],
  kind: 'example',
  needs: ['spent'],
  run: async (parts) => {
    const { http, newScene, target, judge, cases } = parts;
    const rule = { requirement: 'ERR-021', aspect: 'provoked' };
    for (const spending of spendings) {
      const { keys, twin } = await spentAccount(parts, spending, 'ERR-021');
      const expected = {
        ...rule,
        codes: ['quota_exceeded'] as const,
        param: null,
        ...(twin ? { twin } : {}),
      };
      const ask = (stream: boolean): Promise<Exchange> =>
        http.chat(
          { ...newScene().minimal(target.anyModel()), ...(stream ? { stream } : {}) },
          { key: keys[0], label: `no ${spending} left${stream ? ', stream' : ''}` },
        );
      const first = judge.refused(await ask(false), expected);
      for (const stream of [false, true]) {
        cases.count();
        const exchange = await ask(stream);
        judgeSameAgain(exchange, judge.refused(exchange, expected), first);
      }
    }
  },
});

export const taskNotFoundIsItsOwn = defineCheck({
  id: 'err.code.task-not-found',
  title: 'an unknown or foreign task is answered 404 task_not_found, every time the same',
  requirements: ['ERR-028', 'ERR-007', 'ERR-008', 'ERR-013'],
  kind: 'example',
  needs: ['tasks'],
  run: async ({ rng, judge, tasks, cases, keys, target, newScene }) => {
    const rule = { requirement: 'ERR-028', aspect: 'provoked', codes: ['task_not_found'] as const };
    const unknown = `task_${rng.hex(24)}`;
    const first = judge.refused(await tasks.read(unknown, { label: 'an unknown task' }), rule);
    for (let time = 0; time < 2; time += 1) {
      cases.count();
      const exchange = await tasks.read(unknown, { label: 'the same again' });
      judgeSameAgain(exchange, judge.refused(exchange, rule), first);
    }
    const { K3: k3 } = keys;
    if (k3 === undefined) {
      judge.note('keys.K3 is not declared: no foreign task was read');
      return;
    }
    const [model] = target.mediaModelsOf('tasks');
    const submitted = await tasks.submit(newScene().minimalMedia(model), { label: model });
    const { taskId } = tasks.accepted(submitted);
    judge.refused(await tasks.read(taskId, { key: k3, label: 'a foreign task' }), {
      ...rule,
      aspect: 'foreign',
      twin: submitted,
    });
  },
});

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
