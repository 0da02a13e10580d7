import { expect, it } from 'vitest';
import { withHeaders, withWait } from './whole-answer.ts';

it('replaces a header of the same name in any case, and both retry headers together', () => {
  const generated = { 'Retry-After': '20', 'retry-after-ms': '20000', 'x-request-id': 'req_1' };
  expect(withHeaders(generated, { 'retry-after': '1' })).toEqual({
    'retry-after': '1',
    'x-request-id': 'req_1',
  });
  expect(withHeaders(generated, { 'Retry-After-Ms': '5' })).toEqual({
    'Retry-After-Ms': '5',
    'x-request-id': 'req_1',
  });
  expect(withHeaders(generated, { 'x-request-id': 'mine' })).toEqual({
    ...generated,
    'x-request-id': 'mine',
  });
  expect(withHeaders(generated)).toBe(generated);
});

it.for([
  [{ error: { message: 'Rate limit reached. Try again in 20s.' } }, 'Try again in 7s.'],
  [
    { error: { message: 'Please retry in 38.9s.', details: [{ retryDelay: '38s' }] } },
    'Please retry in 7s.","details":[{"retryDelay":"7s"}]',
  ],
] as const)('a refusal names the scripted wait in its body: %j', ([body, wanted]) => {
  const headers = { 'x-ratelimit-reset-requests': '20s' };
  const answer = { status: 429, headers, body: Buffer.from(JSON.stringify(body)) };
  const told = withWait(answer, { 'Retry-After': '7' });
  expect(told.body.toString()).toContain(wanted);
  expect(told.headers).toEqual({ 'x-ratelimit-reset-requests': '7s' });
  expect(withWait(answer, { 'retry-after': 'soon' })).toBe(answer);
  expect(withWait(answer)).toBe(answer);
});
