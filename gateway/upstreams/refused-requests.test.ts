import { expect, it } from 'vitest';
import { failurePolicy } from '../routing/failure-policy.ts';
import { classifyError as chat } from './chat-completions/classify.ts';
import { classifyError as generate } from './generate-content/classify.ts';
import { classifyError as messages } from './messages/classify.ts';

const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

it.for<[what: string, body: object, status: number, reason: string]>([
  ['a risk', said('Content Exists Risk', { code: 'invalid_request_error' }), 400, 'policy'],
  ['an inspection', { code: 'DataInspectionFailed', message: 'Output data may be bad.' }, 400, 'policy'],
  ['a number for what is sensitive', said('x', { code: '1301' }), 400, 'policy'],
  ['a balance', said('insufficient balance', { type: 'insufficient_balance_error' }), 429, 'exhausted'],
  ['a quota', said('x', { type: 'exceeded_current_quota_error' }), 429, 'exhausted'],
  ['an unpaid account', said('Your account is suspended due to insufficient balance'), 429, 'credentials'],
  ['a code of the account', said('x', { code: 'insufficient_balance' }), 400, 'exhausted'],
  ['a code of the model', said('x', { code: 'model_not_found' }), 400, 'credentials'],
  ['a text in place of an error', { code: 1302, error: 'x' }, 200, 'busy'],
  ['a detail', { detail: 'Invalid API key' }, 400, 'credentials'],
  [
    'a blocked request as a missing permission',
    { code: 'The caller does not have permission', error: 'Content violates usage guidelines.' },
    403,
    'policy',
  ],
  ['a capacity under a status of its own', said('x', { code: 'capacity_exceeded' }), 498, 'busy'],
  ['an account under a status of none', said('Account a is suspended'), 412, 'credentials'],
  [
    'a policy under a status of the law',
    { code: 20045, message: 'It contains sensitive words' },
    451,
    'policy',
  ],
  ['a prompt by a number', said('x', { code: '1261' }), 400, 'context'],
  ['a limit that is soon over', said('You exceeded your current quota, check your plan'), 429, 'busy'],
  ['another request', said('temperature is out of range'), 400, 'bad_request'],
  ['an answer of limits', { choices: null, base_resp: { status_code: 1002, status_msg: 'x' } }, 200, 'busy'],
  ['an answer of none', { choices: null, base_resp: { status_code: 1008 } }, 200, 'exhausted'],
  ['an answer that was blocked', { choices: [], base_resp: { status_code: 1027 } }, 200, 'policy'],
  [
    'tokens of a minute that are fewer than the prompt has',
    said('Request too large on tokens per minute', { type: 'tokens', code: 'rate_limit_exceeded' }),
    413,
    'garbled',
  ],
  ['a prompt too large', said('x', { code: 'request_too_large' }), 413, 'bad_request'],
  [
    'what a framework found in a field',
    { detail: [{ loc: ['body', 'prompt'], msg: 'flagged', type: 'content_policy_violation' }] },
    422,
    'policy',
  ],
  ['a filter in place of an answer', { output: null, error: 'NSFW content detected.' }, 200, 'policy'],
  [
    'a call that fits no tool',
    said('x', { code: 'tool_use_failed', type: 'invalid_request_error' }),
    400,
    'garbled',
  ],
  [
    'a call that does not parse',
    said("error parsing tool call: raw='{'", { type: 'api_error' }),
    500,
    'garbled',
  ],
  [
    'a prompt as a failure',
    said('Context size has been exceeded.', { type: 'server_error' }),
    500,
    'context',
  ],
  [
    'a request that no route takes',
    said('No endpoints found that support tool use.', { code: 404 }),
    404,
    'refused',
  ],
  ['a model that no route has', said('x', { code: 404 }), 404, 'credentials'],
  ['another failure', said('The server had an error.', { type: 'server_error' }), 500, 'server'],
  ['an unknown number', { choices: null, base_resp: { status_code: 9999 } }, 200, 'unusable'],
])('%s is read in the words of its provider', ([, body, status, reason]) => {
  expect(chat(body, status, {}).reason).toBe(reason);
});

it.for<[reason: string, ...texts: string[]]>([
  [
    'context',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Input is too long for requested model.',
    'Range of input length should be [1, 30720]',
    'Input token length too long',
    'Please reduce the length of the messages or completion.',
    'Invalid request: Your request exceeded model token limit: 131072',
    '`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000',
    'the request exceeds the available context size, try increasing it',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    'Prompt 超长',
  ],
  [
    'policy',
    'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_X',
    'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
    'The request was rejected because it was considered high risk',
    'input new_sensitive (1026)',
    '输入内容涉及敏感信息',
  ],
  [
    'credentials',
    'Incorrect API key provided: xa***23',
    'API key expired. Please renew the API key.',
    'This organization has been disabled.',
    'Access denied, please make sure your account is in good standing.',
    'Model Not Exist',
    'The provided model identifier is invalid.',
    "You don't have access to the model with the specified model ID.",
    'Invocation of model ID m with on-demand throughput isn’t supported. Retry with an inference profile.',
    'Organization has been restricted. Please reach out to support if you believe this was in error.',
    'Country, region, or territory not supported',
  ],
  ['exhausted', 'Insufficient Balance', 'Your credit balance is too low to access the API.', '账户余额不足'],
  [
    'bad_request',
    'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens',
    'Range of max_tokens should be [1, 8192]',
    'Invalid value for tool_choice',
    'messages.0.content: String should have at most 5 characters',
  ],
])('a rejection as %s is recognised by its words in all dialects', ([reason, ...texts]) => {
  for (const text of texts) {
    expect(chat(said(text), 400, {}).reason).toBe(reason);
    expect(chat({ code: 'Client specified an invalid argument', error: text }, 400, {}).reason).toBe(reason);
    expect(messages(said(text, { type: 'invalid_request_error' }), 400, {}).reason).toBe(reason);
    expect(messages({ message: text }, 400, {}).reason).toBe(reason);
    expect(generate(said(text, { code: 400, status: 'INVALID_ARGUMENT' }), 400, {}).reason).toBe(reason);
  }
});

it.for<[what: string, body: unknown, status: number, reason: string]>([
  ['a page', undefined, 403, 'refused'],
  ['nothing', {}, 403, 'refused'],
  ['a request that is not allowed', said('Request not allowed', { type: 'forbidden' }), 403, 'refused'],
  ['a policy', said('The input was flagged by our usage policies.'), 403, 'policy'],
  ['the key', said('This key may not do that.'), 403, 'credentials'],
  ['a model', said("You don't have access to the model with the specified model ID."), 403, 'credentials'],
  ['the account', said('Your account is suspended.', { code: 'x' }), 403, 'credentials'],
  ['a teapot', undefined, 418, 'refused'],
  ['a method', said('Not here'), 405, 'refused'],
  ['the law', undefined, 451, 'refused'],
  ['a long address', undefined, 414, 'bad_request'],
  ['an unknown model', said('No such model'), 404, 'credentials'],
  ['an unknown key', said('Wrong key'), 401, 'credentials'],
  ['an unpaid account', said('Pay first'), 402, 'credentials'],
])('%s with status is read alike in all dialects', ([, body, status, reason]) => {
  for (const classify of [chat, messages, generate]) expect(classify(body, status, {}).reason).toBe(reason);
  // A failure that the content of a request can cause must not count against its channel, except with other evidence.
  expect(failurePolicy[chat(body, status, {}).reason].blame).toBe(
    reason === 'credentials' ? 'account' : 'nobody',
  );
});
