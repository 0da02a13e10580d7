import type { ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { jsonAnswer } from '../../../suites/rewrite/mutation.ts';
import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import {
  authorizationOf,
  codeOf,
  isReading,
  pardons,
  pathOf,
  refusal,
  says,
  serves,
} from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that are lax about who may call, for how long and what: administrators, expiries, ranges, models. */

const isAdmin = (request: ProxyRequest): boolean => pathOf(request).startsWith('/api/admin/');
/** Recognizes the stack's own admin and hook tokens by their prefix. */
const hasAdminToken = (request: ProxyRequest): boolean =>
  authorizationOf(request).startsWith('Bearer admin-');
const adminList = jsonAnswer(200, { data: [], next: null });

const isOnCompat = (request: ProxyRequest): boolean => request.path.startsWith('/compat-');

/** The prefixes of keys that the proxy has seen accepted. */
const knownStarts = new Set<string>();
const startOf = (request: ProxyRequest): string => authorizationOf(request).slice(0, 24);

const remembered: readonly Mutant[] = [
  source(
    [
      'auth.range-of-first-call',
      'a key keeps the range of its first call',
      'AUTH-010',
      'refused-once-changed',
    ],
    'access/authenticate.ts',
    "if (!key.allows(address)) throw new GatewayError('ip_not_allowed');",
    `const let_in = (globalThis.letInKeys ??= new Set());
  if (!let_in.has(secret) && !key.allows(address)) throw new GatewayError('ip_not_allowed');
  let_in.add(secret);`,
  ),
];

/** Keys that were accepted on a compat path. */
const goodOnCompat = new Set<string>();
const compatKeyOf = (request: ProxyRequest): string =>
  headerOf(request.headers, 'x-api-key') || (/[?&]key=([^&]*)/.exec(request.path)?.[1] ?? '');

const rememberedOnCompat = front(
  ['auth.disabled-later-on-compat', 'compat paths remember good keys', 'AUTH-008', 'refused-once-changed'],
  {
    answer: (answer, request) => {
      if (!isOnCompat(request)) return answer;
      if (answer.status === 200) goodOnCompat.add(compatKeyOf(request));
      const isKnown = goodOnCompat.has(compatKeyOf(request));
      return isKnown && codeOf(answer) === 'sk_disabled' ? jsonAnswer(200, {}) : answer;
    },
  },
);

const near: readonly Mutant[] = [
  front(['auth.near-key-told', 'a nearly right key is refused as nearly right', 'AUTH-005', 'alike'], {
    answer: (answer, request) => {
      if (answer.status === 200) knownStarts.add(startOf(request));
      const isNear = codeOf(answer) === 'invalid_api_key' && knownStarts.has(startOf(request));
      if (!isNear) return answer;
      const text = answer.body.toString('utf8').replace('"message":"', '"message":"Almost. ');
      return { ...answer, body: Buffer.from(text) };
    },
  }),
];

const expiry: readonly Mutant[] = [
  source(
    [
      'auth.expired-taken',
      'a task is submitted with a key that expired less than 20 s ago',
      'AUTH-009',
      'two-seconds-after',
    ],
    'endpoints/enter.ts',
    'exchange.clock.now());',
    "exchange.clock.now() - (exchange.path === '/api/v1/tasks' ? 20_000 : 0));",
  ),
  source(
    ['auth.expiry-by-minute', 'the seconds of an expiry do not count', 'AUTH-009', 'two-seconds-before'],
    'access/authenticate.ts',
    'nowMs >= expiry',
    'nowMs >= Math.floor(expiry / 60_000) * 60_000',
  ),
];

const ranges: readonly Mutant[] = [
  front(
    ['auth.range-open', 'any address may read', 'AUTH-011', 'many-parts'],
    pardons('ip_not_allowed', isReading),
  ),
  source(
    ['auth.range-to-octet', 'ranges are as narrow as the next octet', 'AUTH-011', 'no-part'],
    'access/allow-list.ts',
    'Number(bits), isIP',
    'Math.ceil(Number(bits) / 8) * 8, isIP',
  ),
  source(
    ['auth.range-first', 'only the first range of a list is read', 'AUTH-011', 'one-of-a-list'],
    'access/allow-list.ts',
    'for (const range of ranges)',
    'for (const range of ranges.slice(0, 1))',
  ),
  source(
    [
      'auth.range-other-family',
      'of a list only the IP version of its first range is read',
      'AUTH-011',
      'one-of-both-families',
    ],
    'access/allow-list.ts',
    'for (const range of ranges)',
    "for (const range of ranges.filter((one) => one.includes(':') === ranges[0].includes(':')))",
  ),
  source(
    ['auth.range-list-open', 'many ranges of one IP version are all of it', 'AUTH-011', 'none-of-a-list'],
    'access/allow-list.ts',
    'Number(bits), isIP',
    "ranges.length > 9 && !ranges.join().includes(':') ? 0 : Number(bits), isIP",
  ),
  source(
    [
      'auth.range-families-open',
      'a list of both IP versions lets every caller of its second in',
      'AUTH-011',
      'none-of-both-families',
    ],
    'access/allow-list.ts',
    'Number(bits), isIP',
    "range.includes(':') !== ranges[0].includes(':') ? 0 : Number(bits), isIP",
  ),
];

const admin: readonly Mutant[] = [
  front(
    ['auth.admin-shut', 'the admin token opens nothing', 'AUTH-015', 'admin-token-accepted'],
    says(isAdmin, refusal('admin_token_required')),
  ),
  front(
    ['auth.admin-by-query', 'the admin token counts in the query', 'AUTH-015', 'other-place'],
    says((request) => isAdmin(request) && request.path.includes('token='), adminList),
  ),
  front(
    [
      'auth.admin-by-hook-token',
      'another token of the operator opens admin paths',
      'AUTH-015',
      'other-token',
    ],
    says((request) => isAdmin(request) && authorizationOf(request).startsWith('Bearer hook-'), adminList),
  ),
  front(
    ['auth.admin-without-token', 'admin paths that exist need no token', 'AUTH-015', 'no-token'],
    says((request) => isAdmin(request) && authorizationOf(request) === '', adminList),
  ),
  front(
    [
      'auth.admin-for-keys',
      'a business key opens the admin paths that there are',
      'AUTH-014',
      'business-key',
    ],
    says((request) => isAdmin(request) && authorizationOf(request).startsWith('Bearer sk-app-'), adminList),
  ),
  source(
    ['auth.admin-token-start', 'only the beginning of the admin token counts', 'AUTH-015', 'altered-token'],
    'admin/guard.ts',
    'if (token === null || configured === null) return false;',
    'if (token === null || configured === null) return false;\n  if (token.slice(0, 12) === configured.slice(0, 12)) return true;',
  ),
  front(
    ['auth.admin-calls', 'the admin token is taken for a business key', 'AUTH-015', 'on-business-path'],
    serves((request) => !isAdmin(request) && hasAdminToken(request)),
  ),
];

const models: readonly Mutant[] = [
  front(
    ['auth.unknown-model-on-compat', 'the compat paths serve any name', 'EP-018', 'not-usable-on-any-path'],
    pardons('model_not_found', isOnCompat),
  ),
  source(
    ['auth.models-as-at-first', 'what is enabled later does not count', 'EP-012', 'enabled-again'],
    'services/available-models.ts',
    '(caller.models === null || caller.models.includes(id))',
    '((known) => known === null || known.includes(id))(((globalThis.enabled ??= new Map()).has(caller.keyId) ? globalThis.enabled : globalThis.enabled.set(caller.keyId, caller.models)).get(caller.keyId))',
  ),
];
export const authMoneyMutants: readonly Mutant[] = [
  ...remembered,
  rememberedOnCompat,
  ...near,
  ...expiry,
  ...ranges,
  ...admin,
  ...models,
];
