import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';

export const keyStaysInside = defineCheck({
  id: 'auth.key.stays-inside',
  title: "the caller's key goes no further than the gateway: no upstream request carries it",
  requirements: ['AUTH-001'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const model of kit.target.models) {
      for (const stream of [false, true]) {
        kit.cases.count();
        const scene = kit.newScene();
        const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
        const exchange = await kit.http.chat(body, { label: `${model}${stream ? ', streamed' : ''}` });
        const expected = { requirement: 'AUTH-001', aspect: 'accepted', model };
        if (stream) kit.judge.streamed(exchange, expected);
        else kit.judge.completed(exchange, expected);
        const seen = await scene.requestsNow();
        const carries = seen.some(({ entry, text }) =>
          [text, entry.request.path, ...entry.request.headers.flat()].some((part) =>
            part.includes(kit.keys.K1),
          ),
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
