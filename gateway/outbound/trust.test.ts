import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { type Certified, certify } from '../testing/certificates.ts';
import { createOutbound } from './create-outbound.ts';
import { scriptedResolve } from './resolve.ts';

let authority: Certified;
const servers: Server[] = [];
beforeAll(async () => {
  authority = await certify(['authority'], null);
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Receiver {
  readonly port: number;
  readonly names: (string | false | undefined)[];
}

async function serve(
  { cert, key }: Certified,
  maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3',
): Promise<Receiver> {
  const names: (string | false | undefined)[] = [];
  const server = createServer({ cert, key, maxVersion }, (incoming, response) => {
    names.push(Reflect.get(incoming.socket, 'servername'));
    response.end(incoming.headers.host);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, names };
}

const means = (port: number, ca?: string): Agent => {
  const { connect } = createOutbound({
    ports: [],
    allowedHosts: [`127.0.0.1:${port}`, `hooks.example.com:${port}`],
    resolve: scriptedResolve({ 'hooks.example.com': [['127.0.0.1']] }),
    ca,
  });
  return new Agent({ connect });
};

async function get(agent: Agent, url: string): Promise<string> {
  try {
    const { body } = await request(url, { dispatcher: agent, reset: true });
    return await body.text();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

it.for(['127.0.0.1', 'hooks.example.com'])(
  'trusts %s only with the configured authority and the host name of the URL',
  async (host) => {
    const { port, names } = await serve(await certify([host], authority));
    const url = `https://${host}:${port}/`;
    expect(await get(means(port, authority.cert), url)).toBe(`${host}:${port}`);
    expect(names).toEqual([host === '127.0.0.1' ? false : host]);
    expect(await get(means(port), url)).toMatch(/^UNABLE_TO_|^SELF_SIGNED/);
    const other = await certify(['authority'], null);
    expect(await get(means(port, other.cert), url)).toMatch(/^UNABLE_TO_|^SELF_SIGNED|^CERT_/);
    expect(names).toHaveLength(1);
  },
);

it.for(['TLSv1.2', 'TLSv1.3'] as const)(
  'rejects a certificate of another host, however often it is presented (%s)',
  async (version) => {
    const { port, names } = await serve(await certify(['other.example.com'], authority), version);
    const agent = means(port, authority.cert);
    for (let n = 0; n < 4; n += 1)
      expect(await get(agent, `https://hooks.example.com:${port}/`)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(names).toEqual([]);
  },
);

it('verifies certificates even if the environment disables it', async () => {
  const { port, names } = await serve(await certify(['127.0.0.1'], authority));
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    expect(await get(means(port), `https://127.0.0.1:${port}/`)).toMatch(/^UNABLE_TO_|^SELF_SIGNED/);
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
  expect(names).toEqual([]);
});

it('rejects an expired certificate', async () => {
  const { port } = await serve(await certify(['127.0.0.1'], authority, -1));
  expect(await get(means(port, authority.cert), `https://127.0.0.1:${port}/`)).toBe('CERT_HAS_EXPIRED');
});
