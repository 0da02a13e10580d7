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
  ['another request', said('temperature is out of range'), 400, 'bad_request'],
  ['an answer of limits', { choices: null, base_resp: { status_code: 1002, status_msg: 'x' } }, 200, 'busy'],
  ['an answer of none', { choices: null, base_resp: { status_code: 1008 } }, 200, 'exhausted'],
  ['an answer that was blocked', { choices: [], base_resp: { status_code: 1027 } }, 200, 'policy'],
  ['an unknown number', { choices: null, base_resp: { status_code: 9999 } }, 200, 'unusable'],
])('%s is read in the words of its provider', ([, body, status, reason]) => {
  expect(chat(body, status, {}).reason).toBe(reason);
});

it.for<[what: string, body: unknown, status: number, reason: string]>([
  ['a page', undefined, 403, 'refused'],
  ['nothing', {}, 403, 'refused'],
  ['a request that is not allowed', said('Request not allowed', { type: 'forbidden' }), 403, 'refused'],
  ['a policy', said('The input was flagged by our usage policies.'), 403, 'policy'],
  ['the key', said('This key may not do that.'), 403, 'credentials'],
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
