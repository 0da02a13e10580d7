import fc from 'fast-check';

/** Characters that a path and a query may contain unchanged, including percent-encoded bytes. */
const pathParts = [
  ...'abcXYZ019-._~'.split(''),
  ...["!$&'()*+,;=:@", '%20', '%2F', '%2f', '%3F', '%23', '%25', '%C3%A9', '%7E', '%E2%82%AC'],
];
const queryParts = [
  ...'abcXYZ019-._~'.split(''),
  ...['&', '=', '+', ';', ':', '@', '/', '?', '!', '*', ','],
  ...['%20', '%26', '%3D', '%2B', '%C3%A9', '%41', '%00'],
];

const segment = fc
  .array(fc.constantFrom(...pathParts), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  // Such a segment would change the path.
  .filter((text) => !/^(?:\.|%2e){1,2}$/i.test(text));

const path = fc.array(segment, { maxLength: 4 }).map((segments) => segments.map((one) => `/${one}`).join(''));
const query = fc
  .array(fc.constantFrom(...queryParts), { minLength: 1, maxLength: 12 })
  .map((parts) => `?${parts.join('')}`);

/** What follows the host of a webhook_url: any path and query that a URL parser leaves unchanged. */
export const targetTail: fc.Arbitrary<string> = fc
  .tuple(path, fc.option(query, { nil: '' }))
  .map(([before, after]) => `${before}${after}`);

/** A tail for events that are delivered more than once: each delivery needs the whole query. */
export const queryTail = '/hooks/tasks?token=abc%2Bdef==&user=7';

/** Tails that some implementation has failed on before. */
export const usualTails: readonly string[] = [
  queryTail,
  '/a//b/',
  '/caf%C3%A9/%7Euser/x%2Fy;v=1',
  '?q=1&q=2&empty=&a+b=c%20d',
  '/path?next=https://example.com/?x=1%23y',
  `/long?${'k=0123456789&'.repeat(60)}end=1`,
];
