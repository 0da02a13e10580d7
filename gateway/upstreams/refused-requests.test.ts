import { expect, it } from 'vitest';
import { failurePolicy } from '../routing/failure-policy.ts';
import { classifyError as chat } from './chat-completions/classify.ts';
import { classifyError as generate } from './generate-content/classify.ts';
import { classifyError as messages } from './messages/classify.ts';

const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

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
