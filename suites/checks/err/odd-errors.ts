import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { judgeHidden } from '../../steps/failures/judge-hidden.ts';

/** JSON errors of no dialect: the expected members are missing or have another type. */
const shapes: readonly ((canary: string) => unknown)[] = [
  () => null,
  (canary) => canary,
  () => 7,
  () => false,
  () => [],
  (canary) => [null, canary],
  () => ({ error: null }),
  (canary) => ({ error: canary }),
  (canary) => ({ error: [canary] }),
  (canary) => ({ error: { message: canary } }),
  () => ({ error: { message: null, type: null, code: null, param: null, status: null, details: null } }),
  (canary) => ({
    type: 'error',
    error: {
      message: { text: canary },
      type: [canary],
      code: { code: canary },
      param: [canary],
      status: 7,
      details: canary,
      innererror: canary,
    },
  }),
  (canary) => ({
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: canary,
      details: [
        null,
        canary,
        { violations: [null, canary], fieldViolations: [null, { field: 7 }], retryDelay: 7 },
      ],
    },
  }),
  (canary) => ({
    error: { message: canary, type: 'toString', code: '__proto__', param: 'constructor', status: 'valueOf' },
  }),
];

const statuses = [400, 429, 500] as const;

export const oddErrorsAreUnderstood = defineCheck({
  id: 'err.upstream.odd-shapes',
  title: 'an upstream error in unexpected JSON gets a code of its status and leaks none of its text',
  requirements: ['ERR-029', 'ERR-009', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    await Promise.all(dialectModels(parts.target).map((model, place) => judgeModel(parts, model, place)));
  },
});

async function judgeModel(parts: CheckParts, model: string, place: number): Promise<void> {
  const { cases, rng, newScene, http, judge } = parts;
  for (const [index, shape] of shapes.entries()) {
    const wanted = cases.full ? statuses : [statuses[(index + place) % statuses.length] ?? 500];
    for (const status of wanted) {
      cases.count();
      const stream = (index + place) % 2 === 1;
      await keepClosed(parts, model);
      const canary = `canary${rng.hex(12)}`;
      const scene = newScene();
      await scene.script({
        status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(shape(canary)),
      });
      const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
      const label = `${model}: upstream ${status} ${JSON.stringify(shape('…'))}`;
      const exchange = await http.openChat(body, { label }).done;
      judgeHidden(exchange, [canary], 'ERR-009', `the upstream's ${status}`);
      // A gateway may believe a body that reports overload more than its status.
      const isBusy = JSON.stringify(shape(canary)).includes('RESOURCE_EXHAUSTED');
      const codes = [...codesFor(status), ...(isBusy ? codesFor(429) : [])];
      judge.refused(exchange, { requirement: 'ERR-029', aspect: 'odd-shape', codes });
    }
  }
}
