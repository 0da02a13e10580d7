import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Profile, type ProfileInput, profileSchema } from '../profile/profile.ts';
import { makeAuthority } from '../receiver/authority.ts';
import { createWireClient, type WireClient } from './client.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-connection-'));
afterAll(() => rmSync(folder, { recursive: true }));
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function profileOf(baseUrl: string, more: Partial<ProfileInput> = {}): Profile {
  return profileSchema.parse({ base_url: baseUrl, keys: { K1: 'sk-own' }, ...more });
}

function clientFor(profile: Profile): WireClient {
  const client = createWireClient(profile);
  closing.push(() => client.close());
  return client;
}

it('reads links of answers at the origin that this machine can reach', async () => {
  const seen: unknown[] = [];
  const port = await listening(
    createServer((request, response) => {
      seen.push([request.headers.host, request.url]);
      response.end();
    }),
  );
  const base = `http://127.0.0.1:${port}`;
  const client = clientFor(
    profileOf(base, { media: { origins: { 'http://balancer:8080': base, 'http://store': base } } }),
  );
  for (const url of ['http://balancer:8080/media/a.png?sig=b%20c', 'http://store', `${base}/own`])
    await client.fetch(url, {}).done;
  expect(seen.map((one) => (one as string[])[1])).toEqual(['/media/a.png?sig=b%20c', '/', '/own']);
});

it('does not reuse a connection after a 500', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/fails' ? 500 : 404;
    response.end(String(request.socket.remotePort));
  });
  const client = clientFor(profileOf(`http://127.0.0.1:${await listening(server)}`));
  const portOf = async (path: string): Promise<string> =>
    String((await client.send({ method: 'GET', path })).response?.body);
  const failed = await portOf('/fails');
  const later: string[] = [];
  for (const _ of [1, 2, 3, 4]) later.push(await portOf('/none'));
  expect(later).not.toContain(failed);
  expect(new Set(later).size).toBeLessThan(later.length);
});

describe('added headers of the profile', () => {
  it('are sent to the deployment only, and do not override a check’s own headers', async () => {
    const seen: unknown[] = [];
    const port = await listening(
      createServer((request, response) => {
        const { 'x-env': env, 'user-agent': agent } = request.headers;
        seen.push([request.url, env, agent]);
        response.end();
      }),
    );
    const base = `http://127.0.0.1:${port}`;
    const headers = { 'X-Env': 'staging', 'user-agent': 'gate' };
    const client = clientFor(profileOf(base, { http: { headers } }));
    await client.send({ method: 'GET', path: '/own', headers: { 'User-Agent': 'check' } });
    await client.fetch(`${base}/file`, {}).done;
    await client.openAt(`${base}/event`, { method: 'POST' }).done;
    expect(seen).toEqual([
      ['/own', 'staging', 'check'],
      ['/file', undefined, undefined],
      ['/event', undefined, undefined],
    ]);
  });

  it.each([
    { name: 'a header of the checks', headers: { Authorization: 'Bearer x' } },
    { name: 'a name that is none', headers: { 'a b': 'x' } },
    { name: 'a value with a line break', headers: { a: 'x\r\nb: y' } },
  ])('cannot be $name', ({ headers }) => {
    expect(
      profileSchema.safeParse({ base_url: 'http://gw', keys: { K1: 'k' }, http: { headers } }).success,
    ).toBe(false);
  });
});

describe('a proxy', () => {
  it('carries traffic to the deployment, plain and encrypted, but no events', async () => {
    const carried: string[] = [];
    const authority = await makeAuthority(Date.now());
    const ca = join(folder, 'proxied-ca');
    writeFileSync(ca, authority.cert);
    const pair = await authority.issue(['gateway.invalid']);
    const encrypted = await listening(createTlsServer(pair, (_, response) => void response.end('encrypted')));
    const receiver = await listening(createServer((_, response) => void response.end('event')));
    const proxy = createServer((request, response) => {
      carried.push(`${request.method} ${request.url}`);
      response.end('plain');
    });
    proxy.on('connect', (request, client: Socket) => {
      carried.push(`CONNECT ${request.url}`);
      const upstream = connect(encrypted, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      client.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
    });
    const http = { proxy: `http://127.0.0.1:${await listening(proxy)}` };
    const answerOf = async (baseUrl: string): Promise<string | undefined> => {
      const client = clientFor(profileOf(baseUrl, { http, tls: { ca } }));
      const { response } = await client.send({ method: 'GET', path: '/x' });
      await client.openAt(`http://127.0.0.1:${receiver}/`, { method: 'POST' }).done;
      return response?.body.toString();
    };
    expect(await answerOf('http://gateway.invalid')).toBe('plain');
    expect(await answerOf('https://gateway.invalid')).toBe('encrypted');
    expect(carried).toEqual(['GET http://gateway.invalid/x', 'CONNECT gateway.invalid:443']);
  });

  it('cannot be declared together with a direct connection', () => {
    const http = { proxy: 'http://proxy:3128', direct: true };
    expect(profileSchema.safeParse({ base_url: 'http://gw', keys: { K1: 'k' }, http }).success).toBe(false);
  });
});

it('presents the profile’s client certificate to the server', async () => {
  const authority = await makeAuthority(Date.now());
  const [server, own] = await Promise.all([authority.issue(['127.0.0.1']), authority.issue(['me'])]);
  const files = { ca: authority.cert, cert: own.cert, key: own.key };
  const tls = Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return [name, join(folder, name)];
    }),
  );
  const port = await listening(
    createTlsServer({ ...server, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
    }),
  );
  const client = clientFor(profileOf(`https://127.0.0.1:${port}`, { tls }));
  const { response } = await client.send({ method: 'GET', path: '/' });
  expect(response?.body.toString()).toBe('me');
});
