import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { servedTwin } from '../../steps/routes/call-route.ts';
import { routesOf } from '../../steps/routes/routes-of.ts';

export const keyIsAccepted = defineCheck({
  id: 'auth.key.accepted',
  title: 'a business key without an allow-list opens every route from any address',
  requirements: ['AUTH-001', 'AUTH-002', 'AUTH-012'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { keys, cases, target } = parts;
    const expected = 'keys that begin with sk-app-';
    const actual = 'keys.K1 of the profile begins differently';
    must(keys.K1.startsWith('sk-app-'), { requirement: 'AUTH-002', aspect: 'prefix', expected, actual });
    for (const route of routesOf(target)) {
      cases.count();
      await servedTwin(parts, route, keys.K1, { requirement: 'AUTH-001', aspect: 'key-served' });
    }
  },
});
