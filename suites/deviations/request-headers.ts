import { withHeader } from '../rewrite/proxy-headers.ts';
import { isJsonObject } from '../values/json.ts';
import { type Deviation, headerNames } from './deviation.ts';

/** Headers that every request has anyway. */
const own = ['authorization', 'host', 'content-type', 'content-length', 'transfer-encoding', 'connection'];

/** The deployment requires further headers, such as a version or an organization. */
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

/** A check's own header is not replaced. */
function withAdded(headers: readonly (readonly [string, string])[], name: string, value: string): Headers {
  const has = headers.some(([known]) => known.toLowerCase() === name.toLowerCase());
  return has ? headers.map(([known, text]) => [known, text]) : withHeader(headers, name.toLowerCase(), value);
}
