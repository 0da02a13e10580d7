import { defineCheck } from '../../engine/check.ts';
import { bearer } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { imagesRoute, submitRoute } from '../../oracle/core-routes.ts';
import { malformedBodies } from '../../oracle/hostile-bodies.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { routesOf } from '../../steps/routes/call-route.ts';
import { outcomeOf } from '../../wire/exchange.ts';

export const oversizedBodyIsRefused = defineCheck({
  id: 'err.body.oversized',
  title: 'a body of the declared size limit is read, one byte more is refused (reading B-03)',
  requirements: ['ERR-001', 'ERR-002'],
  kind: 'example',
  needs: ['http.body_bytes'],
  run: async ({ target, http, judge, newScene }) => {
    const limit = target.profile.http.body_bytes ?? 0;
    const model = target.anyModel();
    const fits = await http.chat(padded(newScene, model, limit), { label: `a body of ${limit} bytes` });
    must(fits.response !== null && fits.response.status !== 413, {
      requirement: 'ERR-002',
      aspect: 'limit-accepted',
      expected: `a body of ${limit} bytes to be read`,
      actual: outcomeOf(fits),
      exchange: fits,
    });
    judge.completed(fits, { requirement: 'ERR-002', aspect: 'limit-accepted', model });
    const over = await http.chat(padded(newScene, model, limit + 1), {
      label: `a body of ${limit + 1} bytes`,
    });
    judgeOpenRefusal(over, {
      requirement: 'ERR-002',
      aspect: 'oversized-refused',
      statuses: [413, 400],
      twin: fits,
    });
  },
});

/** A legal request, padded with blanks to an exact number of bytes. */
function padded(newScene: () => Scene, model: string, bytes: number): Buffer {
  const filled = Buffer.alloc(bytes, ' ');
  filled.write(JSON.stringify(newScene().minimal(model)));
  return filled;
}

export const mediaBodiesAreObjects = defineCheck({
  id: 'err.body.media',
  title: 'a body that is not a JSON object is refused with 400 invalid_param at images and tasks',
  requirements: ['ERR-024', 'ERR-002'],
  kind: 'example',
  anyProtocol: true,
  needs: [],
  run: async ({ cases, http, judge, keys, target }) => {
    const routes = routesOf(target).filter((route) => route === imagesRoute || route === submitRoute);
    if (routes.length === 0) throw new Untestable('models.enabled with an image or task model');
    const rule = { requirement: 'ERR-024', aspect: 'media-body' };
    for (const { path } of routes) {
      for (const [label, body] of malformedBodies) {
        cases.count();
        const headers = { ...bearer(keys.K1), 'content-type': 'application/json' };
        const exchange = await http.send({ method: 'POST', path, headers, body, label: `${path}: ${label}` });
        judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
      }
    }
  },
});
