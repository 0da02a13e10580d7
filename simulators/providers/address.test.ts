import { expect, it } from 'vitest';
import { parseAddress } from './address.ts';

it.each([
  ['/lane-07/alpha/v1/chat/completions', 'lane-07', 'alpha', '/v1/chat/completions'],
  ['/lane-07/alpha/v1/chat/completions?a=/b/c', 'lane-07', 'alpha', '/v1/chat/completions'],
  ['/v1/chat/completions', 'default', 'default', '/v1/chat/completions'],
  ['/lane-07/v1/chat/completions', 'default', 'default', '/lane-07/v1/chat/completions'],
  ['/', 'default', 'default', '/'],
])('reads %s', (target, lane, channel, path) => {
  expect(parseAddress(target)).toEqual({ lane, channel, path });
});
