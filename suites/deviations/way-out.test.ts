import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { makeAuthority } from '../receiver/authority.ts';
import { createWireClient } from '../wire/client.ts';
import { undoDeviations } from './undo.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-way-out-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

function inFile(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

it("sends only translated requests through the deployment's proxy, with the certificates of both", async () => {
  const authority = await makeAuthority(Date.now());
  const [server, own] = await Promise.all([authority.issue(['gateway.invalid']), authority.issue(['me'])]);
  const deployment = await listening(
    createTlsServer({ ...server, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ path: request.url, caller: CN }));
    }),
  );
  const carried: string[] = [];
  const proxy = createServer((request, response) => {
    carried.push(`${request.method} ${request.url}`);
    response.end('a file');
  });
  proxy.on('connect', (request, client: Socket) => {
    carried.push(`CONNECT ${request.url}`);
    const upstream = connect(deployment, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  const profile = profileSchema.parse({
    base_url: 'https://gateway.invalid/base/',
    keys: { K1: 'sk-app-1' },
    tls: {
      ca: inFile('ca', authority.cert),
      cert: inFile('cert', own.cert),
      key: inFile('key', own.key),
    },
    http: { proxy: `http://127.0.0.1:${await listening(proxy)}` },
    deviations: [{ 'path-prefix': '/v1' }],
  });
  const undone = undoDeviations(profile);
  const client = createWireClient(undone.profile);
  try {
    const { response } = await client.send({ method: 'GET', path: '/api/v1/models' });
    expect(JSON.parse(String(response?.body))).toEqual({ path: '/base/v1/models', caller: 'me' });
    const file = await client.fetch('http://files.invalid/x', {}).done;
    expect(String(file.response?.body)).toBe('a file');
    expect(carried).toEqual(['CONNECT gateway.invalid:443', 'GET http://files.invalid/x']);
  } finally {
    await client.close();
  }
});
