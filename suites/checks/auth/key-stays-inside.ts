import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';

export const keyStaysInside = defineCheck({
  id: 'auth.key.stays-inside',
  title: "the caller's key stays inside the gateway: no upstream request carries it",
  requirements: ['AUTH-001'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ target, cases, newScene, http, judge, keys }) => {
    for (const model of target.models) {
      for (const stream of [false, true]) {
        cases.count();
        const scene = newScene();
        const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
        const exchange = await http.chat(body, { label: `${model}${stream ? ', streamed' : ''}` });
        const expected = { requirement: 'AUTH-001', aspect: 'accepted', model };
        if (stream) judge.streamed(exchange, expected);
        else judge.completed(exchange, expected);
        const seen = await scene.requestsNow();
        const carries = seen.some(({ entry, text }) =>
          [text, entry.request.path, ...entry.request.headers.flat()].some((part) => part.includes(keys.K1)),
        );
        must(!carries, {
          requirement: 'AUTH-001',
          aspect: 'key-stays-inside',
          expected: "an upstream request with the gateway's own credential",
          actual: "it carries the caller's key",
          exchange,
        });
      }
    }
  },
});
