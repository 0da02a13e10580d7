import type { Mutation, ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { jsonAnswer } from '../../../suites/rewrite/mutation.ts';
import { codeOf, inErrors, miscalls, pathOf, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { blocksIn } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways whose compat paths differ from the core path in place, keys or refusals. */

const onA = ({ path }: ProxyRequest): boolean => path.startsWith('/compat-a/');
const onB = ({ path }: ProxyRequest): boolean => path.startsWith('/compat-b/');
const onCompat = (request: ProxyRequest): boolean => onA(request) || onB(request);

const marked = ({ headers }: ProxyRequest): ProxyRequest['headers'] => [
  ...headers,
  ['x-was-complete', 'yes'],
];
const refusalOfPath = jsonAnswer(404, {
  error: {
    type: 'invalid_request_error',
    code: 'not_found',
    message: 'No such path.',
    channel: null,
    param: null,
  },
});

/** A mutation of the answers to some requests only. */
function where(when: (request: ProxyRequest) => boolean, { answer }: Mutation): Mutation {
  return answer === undefined
    ? {}
    : { answer: (given, request) => (when(request) ? answer(given, request) : given) };
}

function moved(from: string, to: string): Mutation {
  return {
    request: (request) =>
      request.path.startsWith(from) ? { ...request, path: to + request.path.slice(from.length) } : request,
  };
}

export const paths: readonly Mutant[] = [
  front(
    ['faces.a-missing', 'there is no compat path A', 'EP-005', 'served'],
    says(onA, refusal('task_not_found')),
  ),
  front(
    ['faces.b-missing', 'there is no compat path B', 'EP-006', 'served'],
    says(onB, refusal('task_not_found')),
  ),
  front(
    ['faces.a-any-method', 'compat path A answers every method', 'EP-005', 'post-alone'],
    says((request) => onA(request) && request.method !== 'POST', jsonAnswer(200, {})),
  ),
  front(
    ['faces.a-any-version', 'compat path A is there in version 2 as well', 'VER-002', 'other-version'],
    moved('/compat-a/v2/', '/compat-a/v1/'),
  ),
  front(
    ['faces.b-any-version', 'compat path B is there in an alpha version as well', 'VER-003', 'other-version'],
    moved('/compat-b/v1alpha/', '/compat-b/v1beta/'),
  ),
  front(
    [
      'faces.b-other-version-fails',
      'another version of compat path B is a failure',
      'VER-003',
      'tolerated-clean',
    ],
    says(({ path }) => path.startsWith('/compat-b/v1/'), refusal('internal_error')),
  ),
  front(
    ['faces.a-header-unread', 'the version is read from another header', 'VER-004', 'served-with-header'],
    {
      request: (request) => ({
        ...request,
        headers: request.headers.filter(([name]) => name.toLowerCase() !== 'compat-a-version'),
      }),
    },
  ),
  front(
    [
      'faces.a-header-misnamed',
      'a missing version header is called by another name',
      'VER-004',
      'refusal-names-header',
    ],
    inErrors((error) => {
      if (error.param === 'compat-a-version') error.param = 'api-version';
    }),
  ),
];

const isComplete = ({ path }: ProxyRequest): boolean => path === '/compat-a/v1/complete';

export const unknown: readonly Mutant[] = [
  front(
    ['faces.a-unknown-200', 'unknown paths below compat A are answered 200', 'EP-014', 'unknown-on-compat'],
    says((request) => onA(request) && pathOf(request) !== '/compat-a/v1/messages', jsonAnswer(200, {})),
  ),
  front(
    [
      'faces.a-complete-asked',
      'an old path of compat A asks the upstream before it is unknown',
      'EP-014',
      'unknown-reaches-upstream',
    ],
    {
      request: (request) =>
        isComplete(request)
          ? { ...request, path: '/compat-a/v1/messages', headers: marked(request) }
          : request,
      answer: (answer, { headers }) =>
        headers.some(([name]) => name === 'x-was-complete') ? refusalOfPath : answer,
    },
  ),
];

export const keys: readonly Mutant[] = [
  front(
    ['faces.b-own-keys', 'compat path B wants keys of its own', 'AUTH-007', 'one-key'],
    says(onB, refusal('invalid_api_key')),
  ),
  front(
    [
      'faces.other-place-forbidden',
      'a key in the place of another path is forbidden',
      'AUTH-007',
      'other-place',
    ],
    where(onCompat, miscalls('invalid_api_key', 'ip_not_allowed')),
  ),
  front(
    [
      'faces.core-takes-x-api-key',
      'the core path takes the key of compat path A',
      'AUTH-006',
      'place-of-another-path',
    ],
    {
      request: (request) => {
        const key = request.headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
        if (onCompat(request) || key === undefined) return request;
        return { ...request, headers: [...request.headers, ['authorization', `Bearer ${key}`]] };
      },
    },
  ),
  ...(
    [
      ['disabled', 'AUTH-008', 'sk_disabled'],
      ['expired', 'AUTH-009', 'sk_expired'],
      ['ip-restricted', 'AUTH-010', 'ip_not_allowed'],
    ] as const
  ).map(([name, rule, code]) =>
    front(
      [
        `faces.${name}-unknown`,
        `the ${name} key is an unknown one on the compat paths`,
        rule,
        'refused-on-compat',
      ],
      where(onCompat, miscalls(code, 'invalid_api_key')),
    ),
  ),
  front(
    [
      'faces.unknown-key-expired',
      'an unknown key has expired on compat path B',
      'AUTH-005',
      'unknown-on-every-path',
    ],
    where(onB, miscalls('invalid_api_key', 'sk_expired')),
  ),
];

export const refusals: readonly Mutant[] = [
  front(
    [
      'faces.b-model-invalid',
      'an unknown model is an invalid field on compat path B',
      'EP-015',
      'unknown-model',
    ],
    where(onB, miscalls('model_not_found', 'invalid_param')),
  ),
  front(
    [
      'faces.lacking-invalid',
      'what a model lacks is an invalid field on the compat paths',
      'EP-015',
      'lacking',
    ],
    where(onCompat, miscalls('unsupported_capability', 'invalid_param')),
  ),
  front(
    [
      'faces.a-pictures-dropped',
      'compat path A drops images that a model does not take',
      'EP-015',
      'same-verdict',
    ],
    {
      request: (request) => {
        if (!onA(request) || !request.body.includes('beta-small')) return request;
        const body = JSON.parse(request.body.toString('utf8')) as Record<string, unknown>;
        for (const block of blocksIn(body))
          if (block.type === 'image')
            Object.assign(block, { type: 'text', text: '(a picture)', source: undefined });
        return { ...request, body: Buffer.from(JSON.stringify(body)) };
      },
    },
  ),
  ...(['compat-a', 'compat-b'] as const).map((protocol) =>
    front(
      [
        `faces.${protocol}-outage-for-full`,
        `an upstream that is busy is an outage on ${protocol}`,
        protocol === 'compat-a' ? 'COMPA-011' : 'COMPB-011',
        'same-code',
      ],
      {
        answer: (given, request) => {
          const own = request.path.startsWith(`/${protocol}/`) && codeOf(given) === 'channel_queue_full';
          return own
            ? (miscalls('channel_queue_full', 'channel_outage').answer?.(given, request) ?? given)
            : given;
        },
      },
    ),
  ),
];
