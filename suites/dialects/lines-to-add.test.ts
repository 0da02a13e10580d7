import type { CheckResult, Failure } from 'gatecheck-reports/report';
import { expect, it } from 'vitest';
import { dialect } from '../profile/dialect.ts';
import { unmappedInWords } from './lines-to-add.ts';

interface Shown {
  readonly body: object;
  readonly status: number;
  readonly answer?: object | string;
  readonly expected?: string;
  readonly path?: string;
}

function failed({
  body,
  status,
  answer = {},
  expected = 'HTTP 200 with a completion',
  path = '/chat/completions',
}: Shown) {
  const exchange = {
    request: { url: `http://127.0.0.1/v1${path}`, body: JSON.stringify(body) },
    response: { status, body: typeof answer === 'string' ? answer : JSON.stringify(answer) },
  };
  return { verdict: 'fail', failure: { expected, exchange } as unknown as Failure } as CheckResult;
}

const declared = {
  dialect: dialect.parse({
    models: {
      own: { like: 'delta-3' },
      native: { like: 'beta-mid-4-5' },
      known: { like: 'alpha-codex', context: 9, capabilities: ['tools'] },
    },
    fields: { chat: { request: { max_tokens: 'max_completion_tokens' } } },
  }),
};
const call = { model: 'own', messages: [] };
const extra = { detail: [{ loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }] };

it.each([
  ['a field that is not known', { body: { ...call, seed: 1 }, status: 422, answer: extra }, 'seed: null'],
  [
    'a field by its name in the specification',
    {
      body: { ...call, max_completion_tokens: 1 },
      status: 400,
      answer: { error: 'max_completion_tokens is unsupported' },
    },
    'max_tokens: null',
  ],
  [
    'a model without streams',
    { body: { ...call, stream: true }, status: 400, answer: { error: 'own: stream is not supported' } },
    'own: { like: delta-3, capabilities: [tools] }',
  ],
  [
    'another window',
    { body: call, status: 200, expected: '400 context_too_long' },
    'own: { like: delta-3, context: TOKENS }',
  ],
  [
    'more capabilities',
    { body: call, status: 200, expected: '400 unsupported_capability' },
    'own: { like: delta-3, capabilities: [ITS, CAPABILITIES] }',
  ],
  [
    'errors with HTTP 200',
    { body: call, status: 200, answer: { code: 7, message: 'No.' }, expected: '400 invalid_param' },
    'in_success: true',
  ],
])('names the line for %s', (_, shown, line) => {
  const told = unmappedInWords([failed(shown), failed(shown)], declared);
  expect(told).toEqual([expect.stringMatching(/^2 checks fail /)]);
  expect(told[0]).toContain(line);
});

it.each([
  [
    'a refusal that is right',
    { body: { ...call, seed: 1 }, status: 422, answer: extra, expected: 'param naming seed' },
  ],
  ['a page', { body: { ...call, seed: 1 }, status: 400, answer: '<html>Unsupported method {"seed"' }],
  [
    'a field that is only invalid',
    { body: { ...call, seed: 'x' }, status: 400, answer: { error: 'seed must be a number' } },
  ],
  [
    'a refusal that names several',
    { body: { ...call, seed: 1, stop: 'x' }, status: 422, answer: [extra, 'stop'] },
  ],
  [
    'a model with facts of its own',
    { body: { model: 'known' }, status: 200, expected: '400 context_too_long' },
  ],
])('has none for %s', (_, shown) => {
  expect(unmappedInWords([failed(shown)], declared)).toEqual([]);
});

it('names models that five checks find refused by their names', () => {
  const answer = { error: { message: "route 'own' references provider 'x', which is not configured" } };
  const failures = (count: number) =>
    Array.from({ length: count }, () => failed({ body: call, status: 400, answer }));
  expect(unmappedInWords(failures(4), declared)).toEqual([]);
  expect(unmappedInWords(failures(5), declared)).toEqual([
    expect.stringMatching(/by its name: own\. If they do not serve it, leave it out of dialect\.models\.$/),
  ]);
  const native = Array.from({ length: 10 }, () =>
    failed({ body: { model: 'native' }, status: 404, answer: { detail: 'native is bound to another' } }),
  );
  expect(unmappedInWords(native, declared)).toEqual([
    expect.stringContaining('"dialect: { models: { native: { like: beta-mid-4-5, absent: [chat] } } }"'),
  ]);
  const onMessages = Array.from({ length: 5 }, () =>
    failed({ body: { model: 'native' }, status: 404, answer: { error: 'no native' }, path: '/messages' }),
  );
  expect(unmappedInWords(onMessages, declared)).toEqual([
    expect.stringMatching(/refuses a model by its name: native\. If .* leave it out of dialect\.models\.$/),
  ]);
});

it('waits for ten checks where the profile declares no dialect', () => {
  const failures = (count: number) =>
    Array.from({ length: count }, () => failed({ body: { ...call, seed: 1 }, status: 422, answer: extra }));
  expect(unmappedInWords(failures(9), { dialect: undefined })).toEqual([]);
  expect(unmappedInWords(failures(10), { dialect: undefined })).toHaveLength(1);
});

it('names the codes of a dialect that its profile lacks', () => {
  const own = dialect.parse({
    errors: { object: 'fault', members: { code: 'reason' }, codes: { invalid_param: { code: 'BAD_FIELD' } } },
  });
  const shown = (reason: string, expected = '404 task_not_found') =>
    failed({ body: call, status: 404, answer: { fault: { reason } }, expected });
  expect(unmappedInWords([shown('NO_VIDEO')], { dialect: own }).join()).toContain(
    'codes: { task_not_found: { code: NO_VIDEO } }',
  );
  expect(unmappedInWords([shown('BAD_BODY', '400 invalid_param')], { dialect: own }).join()).toContain(
    'invalid_param: [{ code: BAD_FIELD }, { code: BAD_BODY }]',
  );
  expect(unmappedInWords([shown('BAD_FIELD')], { dialect: own })).toEqual([]);
});

it('names a code in the form of ours that the dialect lacks, but none of a wrong field', () => {
  const shown = (code: string, expected: string) =>
    unmappedInWords([failed({ body: call, status: 413, answer: { error: { code } }, expected })], declared);
  expect(shown('window_exceeded', '400 context_too_long').join()).toContain(
    'codes: { context_too_long: { code: window_exceeded } }',
  );
  expect(shown('window_exceeded', '400 invalid_param')).toEqual([]);
  expect(shown('invalid_param', '400 context_too_long')).toEqual([]);
});

it('an error whose text has another name', () => {
  const answer = { error: { code: 'E_BODY', type: 'bad_request', detail: 'the body is not valid' } };
  const { failure, ...check } = failed({ body: call, status: 422, answer });
  const found = { ...check, failure: { ...failure, requirement: 'ERR-005' } as Failure } as CheckResult;
  expect(unmappedInWords([found], declared)).toEqual([
    expect.stringContaining('"dialect: { errors: { members: { message: detail } } }"'),
  ]);
  const own = dialect.parse({ errors: { members: { message: 'text' } } });
  expect(unmappedInWords([found], { dialect: own })).toEqual([]);
});

it('leaves out a code that was seen in place of several', () => {
  const fails = (code: string, expected: string): CheckResult =>
    failed({ body: call, status: 422, answer: { error: { code } }, expected });
  const own = dialect.parse({ errors: { codes: { invalid_api_key: { code: 'E_AUTH' } } } });
  const found = [
    fails('E_WINDOW', '400 context_too_long'),
    fails('E_BODY', '400 context_too_long'),
    fails('E_BODY', '400 unsupported_capability'),
  ];
  expect(unmappedInWords(found, { dialect: own })).toEqual([
    expect.stringContaining('codes: { context_too_long: { code: E_WINDOW } }'),
  ]);
});
