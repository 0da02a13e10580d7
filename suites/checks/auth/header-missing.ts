import { defineCheck } from '../../engine/check.ts';
import { callRoute, servedTwin } from '../../steps/routes/call-route.ts';
import { routesOf } from '../../steps/routes/routes-of.ts';
import { ruleOn } from './route-rule.ts';

export const missingHeaderIsRefused = defineCheck({
  id: 'auth.header.missing',
  title: 'without an Authorization header every route answers 401 invalid_api_key',
  requirements: ['AUTH-003', 'AUTH-018', 'AUTH-019', 'EP-002', 'ERR-014'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { keys, cases, judge, target } = parts;
    for (const route of target.few(routesOf(target), (one) => ruleOn(one, 'AUTH-003'))) {
      const requirement = ruleOn(route, 'AUTH-003');
      const twin = await servedTwin(parts, route, keys.K1, { requirement, aspect: 'twin-served' });
      const cells = [
        { label: 'no Authorization header', headers: {} },
        { label: 'an empty Authorization header', headers: { authorization: '' } },
      ];
      for (const cell of target.few(cells)) {
        cases.count();
        const refusal = await callRoute(parts, route, cell);
        judge.refused(refusal, { requirement, aspect: 'missing', codes: ['invalid_api_key'], twin });
      }
    }
  },
});
