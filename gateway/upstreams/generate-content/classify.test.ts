import { expect, it } from 'vitest';
import { generateError } from '../../testing/generate-content-upstream.ts';
import { classifyError } from './classify.ts';

const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'm', quotaId, quotaValue: '15' }],
});
const retry = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });
const field = (name: string) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field: name, description: 'x' }],
});
const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });
const quotaText = 'You exceeded your current quota. Please retry in 38.922534355s.';

it.for([
  [503, 'UNAVAILABLE', 'x', [], 'busy'],
  [500, 'INTERNAL', 'x', [], 'server'],
  [504, 'DEADLINE_EXCEEDED', 'x', [], 'timeout'],
  [499, 'CANCELLED', 'x', [], 'server'],
  [403, 'PERMISSION_DENIED', 'x', [], 'credentials'],
  [401, 'UNAUTHENTICATED', 'x', [], 'credentials'],
  [400, 'FAILED_PRECONDITION', 'billing is off', [], 'credentials'],
  [400, 'INVALID_ARGUMENT', 'x', [info('API_KEY_INVALID')], 'credentials'],
  [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [], 'credentials'],
  [408, 'FAILED_PRECONDITION', 'x', [], 'timeout'],
  [404, 'NOT_FOUND', 'models/x is not found', [], 'credentials'],
  [429, 'RESOURCE_EXHAUSTED', quotaText, [quota('RequestsPerMinutePerProject')], 'busy'],
  [429, 'RESOURCE_EXHAUSTED', quotaText, [], 'busy'],
  [429, 'RESOURCE_EXHAUSTED', quotaText, [quota('RequestsPerDayPerProject'), retry('5s')], 'exhausted'],
  [429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.', [], 'exhausted'],
  [429, 'RESOURCE_EXHAUSTED', 'Your project has exceeded its monthly spending cap.', [], 'exhausted'],
  [
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1000000).',
    [],
    'context',
  ],
  [400, 'INVALID_ARGUMENT', 'x', [], 'bad_request'],
  [413, '', 'x', [], 'bad_request'],
] as const)('takes %i %s %j for %4$s', ([code, status, message, details, reason]) => {
  const body = generateError(code, status, message, [...details]);
  expect(classifyError(body, code, {}).reason).toBe(reason);
  expect(classifyError([body], code, {}).reason).toBe(reason);
  // Inside a 200 the body alone tells.
  expect(classifyError(body, 200, {}).reason).toBe(reason);
});

it.for([
  [503, 'busy'],
  [502, 'server'],
  [504, 'timeout'],
  [429, 'busy'],
  [408, 'timeout'],
  [403, 'refused'],
  [404, 'credentials'],
  [400, 'bad_request'],
] as const)('takes a %i without a body it knows for %s', ([status, reason]) => {
  for (const body of [undefined, null, [], { error: 'x' }, { error: { status: 'Too Bad' } }])
    expect(classifyError(body, status, {})).toMatchObject({ reason, status });
});

it('cannot use an error inside a 200 that says nothing', () => {
  expect(classifyError({ error: {} }, 200, {}).reason).toBe('unusable');
});

it('looks into an error whose message is the error that was meant', () => {
  const inner = generateError(429, 'RESOURCE_EXHAUSTED', quotaText, [quota('PerDay')]);
  const body = { error: { code: 429, status: 'Too Many Requests', message: JSON.stringify(inner) } };
  expect(classifyError(body, 429, {}).reason).toBe('exhausted');
});

it.for([
  ['the details', 'x', [retry('17s')], {}, 17_000],
  ['the text, when the details are cut to seconds', quotaText, [retry('38s')], {}, 38_923],
  ['the text alone', quotaText, [], {}, 38_923],
  ['the header', 'x', [], { 'retry-after': '9' }, 9000],
  ['nowhere', 'x', [retry('soon'), retry('0s')], {}, null],
  ['the details, within reason', 'x', [retry('99999s')], {}, 300_000],
] as const)('finds the wait in %s', ([, message, details, headers, ms]) => {
  const body = generateError(429, 'RESOURCE_EXHAUSTED', message, [...details]);
  expect(classifyError(body, 429, headers).retryAfterMs).toBe(ms);
});

it.for([
  ['* GenerateContentRequest.generation_config.temperature: must be within range\n', [], 'temperature'],
  ['Invalid JSON payload received.', [field('generation_config.max_output_tokens')], 'max_tokens'],
  ['x', [field('generationConfig.stopSequences')], 'stop'],
  ['x', [field('generation_config.response_json_schema')], 'response_format'],
  ["Invalid value at 'tools[0].function_declarations[0].parameters.seed'", [], 'tools'],
  ['* GenerateContentRequest.tool_config.function_calling_config.allowed_function_names', [], 'tool_choice'],
  ['* GenerateContentRequest.contents[0].parts[0].inline_data: bad', [], 'messages'],
  ['Cannot fetch content from the provided URL.', [], 'messages'],
  ['Unsupported MIME type: image/x', [], 'messages'],
  ['The number of function response parts must equal the function call parts.', [], 'messages'],
  ['Corrupted thought signature.', [], 'messages'],
  ['Request payload size exceeds the limit: 20971520 bytes.', [], 'messages'],
  ['Requests ending with a model turn are not supported.', [], 'messages'],
  ['Something else.', [], null],
] as const)('reads off %j which field is at fault', ([message, details, param]) => {
  const body = generateError(400, 'INVALID_ARGUMENT', message, [...details]);
  expect(classifyError(body, 400, {})).toMatchObject({ reason: 'bad_request', param });
});

it.for([
  'You do not have permission to access the File abc or it may not exist.',
  'Permission denied while accessing input file.',
])('does not hold a file that the caller named against the account: %s', (message) => {
  const body = generateError(403, 'PERMISSION_DENIED', message, []);
  expect(classifyError(body, 403, {}).reason).toBe('bad_request');
});

it('blames the messages for a request that is too large', () => {
  expect(classifyError(undefined, 413, {})).toMatchObject({ reason: 'bad_request', param: 'messages' });
});
