import { expect, it } from 'vitest';
import { parseAddress } from './find-tenant.ts';

it.each([
  ['/lane-07/alpha/v1/chat/completions', 'lane-07', 'alpha', '/v1/chat/completions', ''],
  ['/lane-07/alpha/v1/chat/completions?a=/b/c', 'lane-07', 'alpha', '/v1/chat/completions', 'a=%2Fb%2Fc'],
  [
    '/lane-07/gamma/v1beta/models/m:countTokens?key=k',
    'lane-07',
    'gamma',
    '/v1beta/models/m:countTokens',
    'key=k',
  ],
  ['/v1/chat/completions', 'default', 'default', '/v1/chat/completions', ''],
  ['/lane-07/v1/chat/completions', 'default', 'default', '/lane-07/v1/chat/completions', ''],
  [
    '/lane-07/alpha/openai/deployments/d/chat/completions',
    'lane-07',
    'alpha',
    '/openai/deployments/d/chat/completions',
    '',
  ],
  ['/chat/completions', 'default', 'default', '/chat/completions', ''],
  ['/', 'default', 'default', '/', ''],
])('reads %s', (target, tenant, channel, path, query) => {
  const address = parseAddress(target);
  expect({ ...address, query: address.query.toString() }).toEqual({ tenant, channel, path, query });
});
