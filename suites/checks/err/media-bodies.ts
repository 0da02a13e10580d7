import { defineCheck } from '../../engine/check.ts';
import { bearer } from '../../engine/requests.ts';
import { imagesRoute, submitRoute } from '../../oracle/core-routes.ts';
import { malformedBodies } from '../../oracle/hostile-bodies.ts';
import { Untestable } from '../../rules/violation.ts';
import { routesOf } from '../../steps/routes/routes-of.ts';

export const mediaBodiesAreObjects = defineCheck({
  id: 'err.body.media',
  title: 'a body that is not a JSON object is refused with 400 invalid_param at images and tasks',
  requirements: ['ERR-024', 'ERR-002'],
  kind: 'example',
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
