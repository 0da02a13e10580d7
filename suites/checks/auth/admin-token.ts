import { defineCheck } from '../../engine/check.ts';
import type { Accounts } from '../../engine/parts/accounts.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import type { Target } from '../../engine/parts/target.ts';
import { bearer } from '../../engine/requests.ts';
import { must } from '../../rules/violation.ts';
import { compatOf } from '../../steps/protocols/protocol-model.ts';
import { callRoute, routesOf, servedTwin } from '../../steps/routes/call-route.ts';
import { type Exchange, isSuccess, jsonOf, outcomeOf } from '../../wire/exchange.ts';

const codes = ['admin_token_required', 'invalid_api_key'] as const;
const requirement = 'AUTH-015';

export const adminTakesItsOwnToken = defineCheck({
  id: 'auth.admin.own-token',
  title: 'an admin endpoint accepts only the admin token, as a bearer token (reading B-99)',
  requirements: [requirement, 'AUTH-014'],
  kind: 'example',
  needs: ['admin'],
  run: async ({ cases, judge, keys, target, http, accounts }) => {
    const { token, path } = adminOf(target);
    const twin = await callAdmin(http, path, bearer(token), 'the admin token');
    must(isSuccess(twin) && jsonOf(twin) !== undefined, {
      requirement,
      aspect: 'admin-token-accepted',
      expected: `HTTP 200 with JSON for the admin token at ${path}`,
      actual: outcomeOf(twin),
      exchange: twin,
    });
    const refuse = async (
      headers: Readonly<Record<string, string>>,
      label: string,
      aspect: string,
      suffix = '',
    ): Promise<void> => {
      cases.count();
      const refusal = await callAdmin(http, path + suffix, headers, label);
      judge.refused(refusal, { requirement, aspect, codes, twin });
    };
    for (const [name, key] of Object.entries(keys)) {
      if (key === undefined) continue;
      cases.count();
      const refusal = await callAdmin(http, path, bearer(key), `the business key ${name}`);
      const isPlain = /^K\d$/.test(name);
      const other = ['sk_disabled', 'sk_expired', 'ip_not_allowed'] as const;
      judge.refused(refusal, {
        requirement: 'AUTH-014',
        aspect: 'business-key',
        codes: isPlain ? ['admin_token_required'] : [...codes, ...other],
        twin,
      });
    }
    await refuse({}, 'no token', 'no-token');
    await refuse({ authorization: token }, 'the bare admin token', 'malformed-token');
    for (const { label, headers, suffix } of otherPlaces(token))
      await refuse(headers, label, 'other-place', suffix);
    for (const [label, altered] of alteredTokens(accounts, token))
      await refuse(bearer(altered), `the admin token, ${label}`, 'altered-token');
    for (const [name, hook] of Object.entries(target.profile.hooks))
      if (hook !== undefined && 'token' in hook && hook.token !== token)
        await refuse(bearer(hook.token), `the token of hooks.${name}`, 'other-token');
  },
});

export const adminTokenIsNoKey = defineCheck({
  id: 'auth.admin.no-business',
  title: 'the admin token is not a business key: caller routes answer it 401 invalid_api_key',
  requirements: [requirement],
  kind: 'example',
  needs: ['admin'],
  run: async (parts) => {
    const { cases, keys, judge, newScene, http, target } = parts;
    const { token } = adminOf(target);
    const expected = { requirement, aspect: 'on-business-path', codes: ['invalid_api_key'] as const };
    for (const route of routesOf(target)) {
      cases.count();
      const twin = await servedTwin(parts, route, keys.K1, { requirement, aspect: 'twin-served' });
      const refusal = await callRoute(parts, route, { label: 'the admin token', headers: bearer(token) });
      judge.refused(refusal, { ...expected, twin });
    }
    for (const { protocol, models } of compatOf(parts)) {
      cases.count();
      const [model] = models;
      const body = protocol.body(newScene(), { model });
      const refusal = await protocol.send(http, model, body, { label: 'the admin token', key: token });
      judge.refused(refusal, expected);
    }
  },
});

/** The admin token, and a path below /api/admin/ that answers it. */
function adminOf(target: Target): { token: string; path: string } {
  const { token, url } = target.profile.admin ?? { token: '', url: '' };
  const { pathname } = new URL(url);
  const own = { method: 'GET', path: pathname, headers: [], body: Buffer.alloc(0) };
  const { path = pathname } = target.profile.translation?.specified?.(own) ?? {};
  return { token, path: path.slice(Math.max(0, path.indexOf('/api/admin/'))) };
}

/** Places in which the admin token must not be accepted. */
function otherPlaces(
  token: string,
): readonly { label: string; headers: Readonly<Record<string, string>>; suffix: string }[] {
  const encoded = encodeURIComponent(token);
  return [
    { label: 'the admin token in x-api-key', headers: { 'x-api-key': token }, suffix: '' },
    { label: 'the admin token in x-admin-token', headers: { 'x-admin-token': token }, suffix: '' },
    { label: 'the admin token in a cookie', headers: { cookie: `token=${encoded}` }, suffix: '' },
    ...['key', 'token', 'access_token'].map((name) => ({
      label: `the admin token in the query as ${name}`,
      headers: {},
      suffix: `?${name}=${encoded}`,
    })),
  ];
}

/** Tokens that differ from the admin token in one small thing. */
function alteredTokens(accounts: Accounts, token: string): [label: string, token: string][] {
  const changed = (place: number): string =>
    `${token.slice(0, place)}${token[place] === 'Q' ? 'R' : 'Q'}${token.slice(place + 1)}`;
  const altered = {
    'its first character changed': changed(0),
    'a character in its middle changed': changed(Math.floor(token.length / 2)),
    'its last character changed': changed(token.length - 1),
    'its last character missing': token.slice(0, -1),
    'a character more': `${token}x`,
    'its first half': token.slice(0, Math.ceil(token.length / 2)),
    'in capitals': token.toUpperCase(),
    twice: `${token}${token}`,
  };
  return Object.entries(altered)
    .filter(([, text]) => text !== token)
    .map(([label, text]) => [label, accounts.altered(text)]);
}

function callAdmin(
  http: HttpCalls,
  path: string,
  headers: Readonly<Record<string, string>>,
  label: string,
): Promise<Exchange> {
  return http.send({ method: 'GET', path, headers, label });
}
