import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { minimalProfile } from '../profile/load-profile.ts';
import { dialectOf } from './dialect-of.ts';
import { lookAtInterface } from './look-at-interface.ts';
import { nothingFound } from './nothing-found.ts';

type Said = readonly [status: number, body: object];

/** The profile of a server that answers alike at each path below /v1, and 404 elsewhere. */
async function profileOf(said: (path: string, headers: IncomingHttpHeaders) => Said) {
  const server = createServer((request, response) => {
    request.resume();
    const [status, body] = request.url?.startsWith('/v1/')
      ? said(request.url, request.headers)
      : [404, { detail: 'Not Found' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return minimalProfile(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'sk-app-right-0123456789',
  );
}

async function toldBy(said: Parameters<typeof profileOf>[0]): Promise<string> {
  const profile = await profileOf(said);
  let told = '';
  const seen = await lookAtInterface(profile, [], (answers) => {
    told = nothingFound(profile, answers);
  });
  expect(seen).toBeNull();
  return told;
}

it('quotes the answers that tell most, without the key, and asks for headers', async () => {
  const told = await toldBy(() => [200, { code: 1, msg: 'no tenant for sk-app-right-0123456789' }]);
  expect(told).toContain('GET /v1/models: HTTP 200 {"code":1,"msg":"no tenant for');
  expect(told).toContain('--header "name: value"');
  expect(told).not.toContain('sk-app-right');
});

it('asks whether the key is right where all paths refuse it', async () => {
  const told = await toldBy(() => [401, { detail: 'Invalid key.' }]);
  expect(told).toContain('GET /v1/models: HTTP 401 {"detail":"Invalid key."}');
  expect(told).toContain('Is the key right?');
});

it('takes a key in api-key, and does not call an error with HTTP 200 an answer', async () => {
  const profile = await profileOf((path, headers) => {
    if (headers['api-key'] === undefined) return [401, { detail: 'No key.' }];
    if (headers['api-key'] !== 'sk-app-right-0123456789') return [200, { code: 40101, msg: 'wrong key' }];
    return path === '/v1/models' ? [200, { data: [{ id: 'own-1' }] }] : [200, { code: 40001, msg: 'no' }];
  });
  const seen = await lookAtInterface(profile);
  expect(seen?.requests).toBeLessThanOrEqual(15);
  const { sections, why } = seen === null ? { sections: {}, why: [] } : dialectOf(seen);
  expect(sections.dialect).toMatchObject({
    keys: { core: { header: 'api-key' } },
    errors: {
      in_success: true,
      also: expect.arrayContaining([
        { object: null, members: { message: 'msg', type: null, param: null, channel: null } },
      ]),
    },
  });
  expect(why.join('\n')).toContain('refusals have HTTP 200');
  expect(why.join('\n')).not.toContain('keys are not checked');
});
