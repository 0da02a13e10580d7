import { defineCheck } from '../../engine/check.ts';
import {
  callRoute,
  chatCallOn,
  judgeServed,
  mainRoute,
  needRefusedKeyless,
  type RouteCall,
  routesOf,
  servedTwin,
} from '../../steps/routes/call-route.ts';
import { isSuccess } from '../../wire/exchange.ts';
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

export const malformedHeaderIsRefused = defineCheck({
  id: 'auth.header.malformed',
  title: 'an Authorization header that is not exactly a bearer token gets 401 invalid_api_key',
  requirements: ['AUTH-004', 'AUTH-019', 'ERR-014'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { keys, cases, judge, target } = parts;
    for (const route of routesOf(target)) {
      const requirement = ruleOn(route, 'AUTH-004');
      const twin = await servedTwin(parts, route, keys.K1, { requirement, aspect: 'twin-served' });
      for (const [label, authorization] of Object.entries(malformed(keys.K1))) {
        cases.count();
        const refusal = await callRoute(parts, route, { label, headers: { authorization } });
        judge.refused(refusal, { requirement, aspect: 'malformed', codes: ['invalid_api_key'], twin });
      }
    }
  },
});

export const schemeCaseIsClean = defineCheck({
  id: 'auth.scheme.case',
  title: 'the bearer scheme in other letter case works or is refused as malformed (reading B-101)',
  requirements: ['AUTH-004'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, target, keys, judge } = parts;
    const route = mainRoute(target);
    for (const scheme of ['bearer', 'BEARER', 'bEARER']) {
      cases.count();
      const headers = { authorization: `${scheme} ${keys.K1}` };
      const { model, more } = chatCallOn(parts, route);
      const exchange = await callRoute(parts, route, { label: `scheme ${scheme}`, headers, ...more });
      const rule = { requirement: 'AUTH-004', aspect: 'scheme-case-clean' };
      const works = isSuccess(exchange);
      if (works) judgeServed(parts, route, exchange, { ...rule, model });
      else judge.refused(exchange, { ...rule, codes: ['invalid_api_key'] });
      judge.note(`${works ? 'accepts' : 'refuses'} the scheme ${scheme}`);
    }
  },
});

/** Authorization headers that are not a bearer token, made from a key that would work. */
function malformed(key: string): Readonly<Record<string, string>> {
  return {
    'the scheme alone': 'Bearer',
    'the scheme and a blank': 'Bearer ',
    'the bare key': key,
    'another scheme, Basic': `Basic ${Buffer.from(key).toString('base64')}`,
    'another scheme, Token': `Token ${key}`,
    'another scheme, ApiKey': `ApiKey ${key}`,
    'trailing text': `Bearer ${key} extra`,
    'the key twice': `Bearer ${key} ${key}`,
    'the scheme twice': `Bearer Bearer ${key}`,
    'a list of two': `Bearer ${key}, Bearer ${key}`,
    'a quoted key': `Bearer "${key}"`,
    'a colon after the scheme': `Bearer: ${key}`,
    'no blank between': `Bearer${key}`,
    'an equals sign between': `Bearer=${key}`,
  };
}

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
