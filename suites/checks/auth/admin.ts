import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import { bearer } from '../../engine/requests.ts';
import { modelsRoute } from '../../oracle/core-routes.ts';
import { servedTwin } from '../../steps/routes/call-route.ts';
import type { Exchange } from '../../wire/exchange.ts';

interface AdminCall {
  readonly method: string;
  readonly rest: string;
}

const segment = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_'),
  minLength: 1,
  maxLength: 12,
});

/** Calls below the admin prefix. Only an administrator may learn which of these paths exist. */
const adminCalls: fc.Arbitrary<AdminCall> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  rest: fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
});

const wellKnown: readonly AdminCall[] = [
  { method: 'GET', rest: 'x' },
  { method: 'POST', rest: 'x' },
  { method: 'GET', rest: 'users' },
  { method: 'POST', rest: 'users' },
  { method: 'DELETE', rest: 'keys/1' },
  { method: 'PUT', rest: 'channels/1/enabled' },
  { method: 'GET', rest: 'v1/models' },
  { method: 'GET', rest: 'usage?from=2026-01-01' },
];

export const adminNeedsItsOwnToken = defineCheck({
  id: 'auth.admin.business-key',
  title:
    'a business key in any state gets 401 admin_token_required under /api/admin/, whatever method or path',
  requirements: ['AUTH-014', 'AUTH-018', 'ERR-018'],
  kind: 'property',
  needs: ['admin.routes'],
  run: async (parts) => {
    const { keys, cases, judge, http } = parts;
    const rule = { requirement: 'AUTH-014', aspect: 'business-key' };
    const twin = await servedTwin(parts, modelsRoute, keys.K1, { ...rule, aspect: 'twin-served' });
    await cases.forAll(
      adminCalls,
      async (call) => {
        const refusal = await callAdmin(http, call, bearer(keys.K1));
        judge.refused(refusal, { ...rule, codes: ['admin_token_required'], twin });
      },
      { examples: wellKnown },
    );
    // Disabled, expired and restricted keys are still business keys (B-99).
    for (const key of [keys.disabled, keys.expired, keys.ip_restricted]) {
      if (key === undefined) continue;
      cases.count();
      const refusal = await callAdmin(http, { method: 'GET', rest: 'users' }, bearer(key));
      judge.refused(refusal, { ...rule, codes: ['admin_token_required'], twin });
    }
  },
});

export const adminIsClosed = defineCheck({
  id: 'auth.admin.no-key',
  title: 'under /api/admin/ a missing or unknown key is answered 401',
  requirements: ['AUTH-003', 'AUTH-014'],
  kind: 'example',
  needs: ['admin.routes'],
  run: async ({ rng, cases, judge, http }) => {
    const unknown = `sk-app-${rng.hex(40)}`;
    for (const headers of [{}, bearer(unknown), { 'x-api-key': unknown }]) {
      for (const call of wellKnown) {
        cases.count();
        const refusal = await callAdmin(http, call, headers);
        const rule = { requirement: 'AUTH-014', aspect: 'closed-without-key' };
        judge.refused(refusal, { ...rule, codes: ['invalid_api_key', 'admin_token_required'] });
      }
    }
  },
});

function callAdmin(
  http: HttpCalls,
  { method, rest }: AdminCall,
  headers: Record<string, string>,
): Promise<Exchange> {
  const label = `${method} below /api/admin/`;
  const path = `/api/admin/${rest}`;
  return http.send({ method, path, headers, label, ...(method === 'GET' ? {} : { body: { name: 'x' } }) });
}
