import { expect, it } from 'vitest';
import { createClock } from '../clock.ts';
import { Tenants } from '../state/tenants.ts';
import { createProviderServer } from './server.ts';

it('has no time limit of its own, so that only scripts decide how long a request lives', () => {
  const server = createProviderServer({
    tenants: new Tenants(),
    clock: createClock(),
    seed: 1,
    version: null,
    provider: null,
    onDefect: () => {},
  });
  const { timeout, requestTimeout, headersTimeout, keepAliveTimeout } = server;
  expect({ timeout, requestTimeout, headersTimeout, keepAliveTimeout }).toEqual({
    timeout: 0,
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
  });
});
