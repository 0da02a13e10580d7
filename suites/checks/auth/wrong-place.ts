import { defineCheck } from '../../engine/check.ts';
import { callRoute, needRefusedKeyless, type RouteCall, servedTwin } from '../../steps/routes/call-route.ts';
import { routesOf } from '../../steps/routes/routes-of.ts';

export const misplacedKeyIsRefused = defineCheck({
  id: 'auth.place.wrong',
  title: 'a good key outside the Authorization header does not authenticate on the core routes',
  requirements: ['AUTH-006'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { keys, cases, judge, target } = parts;
    for (const route of routesOf(target)) {
      const rule = { requirement: 'AUTH-006', aspect: 'wrong-place' };
      const twin = await servedTwin(parts, route, keys.K1, { ...rule, aspect: 'twin-served' });
      await needRefusedKeyless(parts, route);
      for (const call of misplaced(keys.K1)) {
        cases.count();
        const refusal = await callRoute(parts, route, call);
        judge.refused(refusal, { ...rule, codes: ['invalid_api_key'], twin });
      }
    }
  },
});

/** Places where the core routes must not accept a key, though compat paths accept two of them. */
function misplaced(key: string): readonly RouteCall[] {
  const encoded = encodeURIComponent(key);
  return [
    { label: 'key in x-api-key', headers: { 'x-api-key': key } },
    {
      label: 'key in x-api-key, with its version header',
      headers: { 'x-api-key': key, 'compat-a-version': '2023-06-01' },
    },
    { label: 'key in the query as key', headers: {}, suffix: `?key=${encoded}` },
    { label: 'key in the query as api_key', headers: {}, suffix: `?api_key=${encoded}` },
    { label: 'key in the query as access_token', headers: {}, suffix: `?access_token=${encoded}` },
    { label: 'key in a cookie', headers: { cookie: `key=${key}; authorization=Bearer ${encoded}` } },
    { label: 'key in Proxy-Authorization', headers: { 'proxy-authorization': `Bearer ${key}` } },
  ];
}
