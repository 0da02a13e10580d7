import { withHeader } from '../rewrite/proxy-headers.ts';
import { isJsonObject } from '../values/json.ts';
import { type Deviation, headerNames } from './deviation.ts';

/** What a request has by itself. */
const own = ['authorization', 'host', 'content-type', 'content-length', 'transfer-encoding', 'connection'];

/** A key alone opens nothing: requests have to name a version, an organisation or the like. */
export const requestHeaders: Deviation = {
  id: 'request-headers',
  title: 'requests need more headers than the key',
  requirement: 'AUTH-001',
  checks: ['auth.key.accepted'],
  takes: 'the headers, such as { x-organisation: acme }',
  undo: (given) => {
    if (!isJsonObject(given)) return null;
    const values = Object.entries(given) as [string, string][];
    if (headerNames(Object.keys(given), own) === null) return null;
    if (!values.every(([, value]) => /^[\t\x20-\x7e]+$/.test(value))) return null;
    return {
      request: (request) => ({
        ...request,
        headers: values.reduce(
          (headers, [name, value]) => withAdded(headers, name, value),
          [...request.headers],
        ),
      }),
    };
  },
};

type Headers = [string, string][];

/** A header that a request has itself is that of a check, and stays. */
function withAdded(headers: readonly (readonly [string, string])[], name: string, value: string): Headers {
  const has = headers.some(([known]) => known.toLowerCase() === name.toLowerCase());
  return has ? headers.map(([known, text]) => [known, text]) : withHeader(headers, name.toLowerCase(), value);
}
