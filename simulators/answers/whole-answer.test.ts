import { expect, it } from 'vitest';
import { withHeaders } from './whole-answer.ts';

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
