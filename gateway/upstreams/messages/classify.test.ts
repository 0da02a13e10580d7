import { expect, it } from 'vitest';
import { classifyError } from './classify.ts';

const body = (type: string, message = 'CANARY') => ({ type: 'error', error: { type, message } });

it.for<[number, unknown, string, (string | null)?]>([
  [400, body('invalid_request_error', 'prompt is too long: 200001 tokens > 200000 maximum'), 'context'],
  [
    400,
    body('invalid_request_error', 'input length and `max_tokens` exceed context limit: 1 + 2 > 2'),
    'context',
  ],
  [400, body('invalid_request_error', 'Output blocked by content filtering policy'), 'policy'],
  [400, body('invalid_request_error', 'Your credit balance is too low'), 'exhausted'],
  [400, body('invalid_request_error', 'You have reached your specified API usage limits.'), 'exhausted'],
  [400, body('invalid_request_error', 'temperature: must be at most 1'), 'bad_request', 'temperature'],
  [400, body('invalid_request_error', 'messages.0.content.1.image.source: bad'), 'bad_request', 'messages'],
  [400, body('invalid_request_error', 'messages: text must be non-empty'), 'bad_request', 'messages'],
  [400, body('invalid_request_error', 'system.0.text: bad'), 'bad_request', 'system'],
  [400, body('invalid_request_error', 'stop_sequences: bad'), 'bad_request', 'stop'],
  [400, body('invalid_request_error', 'metadata.user_id: bad'), 'bad_request', 'user'],
  [400, body('invalid_request_error', 'Could not process image'), 'bad_request', 'messages'],
  [400, body('invalid_request_error', 'Unable to download the file.'), 'bad_request', 'messages'],
  [
    400,
    body('invalid_request_error', 'The conversation must end with a user turn.'),
    'bad_request',
    'messages',
  ],
  [400, body('invalid_request_error', 'Something else about profiles'), 'bad_request', null],
  [400, body('invalid_request_error', 'novelty: bad image'), 'bad_request', null],
  [400, body('invalid_request_error', 'constructor: bad'), 'bad_request', null],
  [400, body('invalid_request_error', 'The request body is not valid JSON'), 'bad_request', null],
  [400, undefined, 'bad_request'],
  [401, body('authentication_error'), 'credentials'],
  [402, body('billing_error'), 'credentials'],
  [403, body('permission_error'), 'credentials'],
  [404, body('not_found_error'), 'credentials'],
  [400, body('rate_limit_error'), 'busy'],
  [408, undefined, 'timeout'],
  [408, body('api_error'), 'timeout'],
  [413, body('request_too_large'), 'bad_request', 'messages'],
  [413, undefined, 'bad_request', 'messages'],
  [429, body('rate_limit_error'), 'busy'],
  [422, body('api_error', 'temperature: bad'), 'bad_request', 'temperature'],
  [429, body('api_error'), 'busy'],
  [500, body('api_error'), 'server'],
  [500, body('overloaded_error'), 'busy'],
  [500, body('invalid_request_error'), 'server'],
  [503, body('api_error'), 'busy'],
  [502, undefined, 'server'],
  [504, body('timeout_error'), 'timeout'],
  [529, body('overloaded_error'), 'busy'],
  [529, undefined, 'busy'],
  [200, body('overloaded_error'), 'busy'],
  [200, body('invalid_request_error', 'prompt is too long: 5 tokens > 4 maximum'), 'context'],
  [200, body('toString'), 'unusable'],
  [200, undefined, 'unusable'],
])('takes %i with %j for %s', ([status, answer, reason, param = null]) => {
  const failure = classifyError(answer, status, { 'retry-after': '7' });
  expect(failure).toMatchObject({ kind: 'failure', reason, param, status, retryAfterMs: 7000 });
  expect(failure.detail).not.toContain('CANARY');
});
