import { objectIn } from '../../../suites/rewrite/json.ts';
import { jsonAnswer, type ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import {
  authorizationOf,
  codeOf,
  inErrors,
  isReading,
  pardons,
  pathOf,
  refusal,
  says,
  serves,
} from '../../../suites/rewrite/refusal-edits.ts';
import { isSubmit } from '../../edits/media-edits.ts';
import { front, type Mutant, source } from '../../edits/mutant.ts';

/** Gateways with an authentication defect that a proxy can simulate. */

const hasNone = (request: ProxyRequest): boolean => authorizationOf(request).trim() === '';
const isMalformed = (request: ProxyRequest): boolean =>
  !hasNone(request) && !/^bearer +\S+$/i.test(authorizationOf(request));
const isAdmin = (request: ProxyRequest): boolean => pathOf(request).startsWith('/api/admin/');
const isChat = (request: ProxyRequest): boolean => pathOf(request) === '/api/v1/chat/completions';

const inHeader = (request: ProxyRequest): boolean =>
  hasNone(request) && headerOf(request.headers, 'x-api-key') !== '' && !isAdmin(request);

export const places: readonly Mutant[] = [
  front(
    ['auth.everything-refused', 'no key is ever good', 'AUTH-003', 'twin-served'],
    says(() => true, refusal('invalid_api_key')),
  ),
  front(
    ['auth.key-refused', 'a good key is not taken on reading routes', 'AUTH-001', 'key-served'],
    says(isReading, refusal('invalid_api_key')),
  ),
  front(
    ['auth.chat-open', 'chat asks for no key', 'AUTH-003', 'missing'],
    serves((request) => hasNone(request) && isChat(request)),
  ),
  front(
    ['auth.models-open', 'the list of models asks for no key', 'AUTH-019', 'missing'],
    serves((request) => hasNone(request) && isReading(request)),
  ),
  front(
    ['auth.bare-key-taken', 'the bare key is taken', 'AUTH-004', 'malformed'],
    serves((request) => authorizationOf(request).startsWith('sk-app-') && isChat(request)),
  ),
  front(
    ['auth.malformed-read', 'the list of models takes any header', 'AUTH-019', 'malformed'],
    serves((request) => isMalformed(request) && isReading(request)),
  ),
  front(
    ['auth.scheme-case-500', 'a scheme in capitals is answered 500', 'AUTH-004', 'scheme-case-clean'],
    says((request) => authorizationOf(request).startsWith('BEARER'), refusal('internal_error')),
  ),
  front(['auth.x-api-key-taken', 'a key in x-api-key counts', 'AUTH-006', 'wrong-place'], serves(inHeader)),
];

/** Defects that show only with keys in a known state: the key is rejected, but wrongly. */
export const states: readonly Mutant[] = (
  [
    ['disabled', 'sk_disabled', 'AUTH-008'],
    ['expired', 'sk_expired', 'AUTH-009'],
    ['ip-restricted', 'ip_not_allowed', 'AUTH-010'],
  ] as const
).flatMap(([name, code, requirement]) => [
  front([`auth.${name}-served`, `the ${name} key is served`, requirement, 'refused'], pardons(code, isChat)),
  front(
    [`auth.${name}-after-body`, `the body is judged before the ${name} key`, requirement, 'before-the-body'],
    {
      answer: (answer, request) =>
        codeOf(answer) === code && objectIn(request.body)?.model === 'no-such-model'
          ? refusal('model_not_found', 'model')
          : answer,
    },
  ),
]);

export const readers: readonly Mutant[] = [
  front(
    ['auth.disabled-reads', 'the disabled key may read', 'AUTH-019', 'refused'],
    pardons('sk_disabled', isReading),
  ),
];

export const shape: readonly Mutant[] = [
  front(
    ['auth.names-channel', 'a key failure names a channel', 'AUTH-018', 'channel-of-code'],
    inErrors((error) => {
      if (error.type === 'auth_error') error.channel = 'ch-1';
    }),
  ),
  front(
    ['auth.names-field', 'a key failure names a field of the body', 'AUTH-018', 'param-of-code'],
    inErrors((error) => {
      if (error.type === 'auth_error') error.param = 'model';
    }),
  ),
];

export const admin: readonly Mutant[] = [
  front(
    ['auth.admin-keyless', 'admin paths are open without a key', 'AUTH-014', 'closed-without-key'],
    says((request) => isAdmin(request) && hasNone(request), jsonAnswer(200, { users: [] })),
  ),
];

export const order: readonly Mutant[] = [
  front(['auth.body-first', 'malformed JSON is judged before the key', 'AUTH-016', 'key-before-body'], {
    answer: (answer, request) =>
      codeOf(answer) === 'invalid_api_key' && request.body.length > 0 && objectIn(request.body) === null
        ? refusal('invalid_param')
        : answer,
  }),
  front(
    [
      'auth.task-body-first',
      'the body of a task is read before the key',
      'AUTH-016',
      'key-before-media-body',
    ],
    {
      answer: (answer, request) =>
        isSubmit(request) && codeOf(answer) === 'invalid_api_key' && objectIn(request.body) === null
          ? refusal('invalid_param')
          : answer,
    },
  ),
  front(
    ['auth.forwarded-closes', 'a forwarding header can close a key', 'AUTH-013', 'stays-allowed'],
    says((request) => headerOf(request.headers, 'x-real-ip') === '198.51.100.7', refusal('ip_not_allowed')),
  ),
];
export const oneModel: readonly Mutant[] = [
  source(
    ['auth.key-passed-on', "the caller's key goes to the upstream", 'AUTH-020', 'key-stays-inside'],
    'endpoints/chat/chat.ts',
    'dispatch({ service, caller,',
    'dispatch({ service: { ...service, upstreams: { ...service.upstreams, post: (sent) => service.upstreams.post({ ...sent, headers: Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name, /key|auth/i.test(name) ? String(exchange.incoming.headers.authorization) : value])) }) } }, caller,',
  ),
];
