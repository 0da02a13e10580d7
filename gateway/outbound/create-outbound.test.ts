import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Canary, fakeInternet, startCanary } from '../testing/canary.ts';
import { harmlessSpellings, privateSpellings, publicNames } from '../testing/url-spellings.ts';
import { createOutbound, type OutboundDeps } from './create-outbound.ts';
import type { Outbound } from './outbound.ts';
import { scriptedResolve } from './resolve.ts';

let canary: Canary;
/** Stands for every public host, and redirects requests to `/moved/…`. */
let server: Server;
let port = 0;
const asked: string[] = [];
beforeAll(async () => {
  canary = await startCanary();
  server = createServer(({ url = '', headers }, response) => {
    asked.push(`${headers.host}${url}`);
    const [, status, target] = /^\/moved\/(\d+)\/(.*)$/.exec(url) ?? [];
    if (status === undefined || target === undefined) response.end('here');
    else response.writeHead(Number(status), { location: decodeURIComponent(target) }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  expect(canary.connections()).toBe(0);
  asked.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await canary.close();
});

const outboundWith = (changes: Partial<OutboundDeps> = {}): Outbound =>
  createOutbound({ ports: [443, 8443], allowedHosts: [], resolve: scriptedResolve({}), ...changes });

/** The status of the answer, or the code of the error. The URL text is not checked first, as if it had passed. */
async function get({ connect }: Outbound, url: string): Promise<number | string> {
  const agent = new Agent({ connect });
  try {
    const { statusCode, body } = await request(url, { dispatcher: agent });
    await body.dump();
    return statusCode;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    await agent.destroy();
  }
}

describe('a connection', () => {
  it('reaches a private listener only at an allowed host', async () => {
    const other = await startCanary();
    const allowed = outboundWith({ allowedHosts: [`127.0.0.1:${other.port}`, `[::1]:${other.port}`] });
    await get(allowed, `http://127.0.0.1:${other.port}/`);
    await get(allowed, `http://2130706433:${other.port}/`);
    await get(allowed, `http://[::1]:${other.port}/`);
    expect(other.connections()).toBe(3);
    expect(await get(allowed, `http://127.0.0.2:${other.port}/`)).toBe('GATEWAY_BLOCKED');
    expect(other.connections()).toBe(3);
    await other.close();
  });

  it.for(privateSpellings.filter((spelling) => /^\s*https:/.test(spelling)))(
    'is not made to %j, were its text never looked at',
    async (spelling) => {
      const outbound = outboundWith();
      for (const scheme of ['http', 'https']) {
        const url = spelling.replace('https', scheme).replace('{port}', String(canary.port));
        if (!URL.canParse(url)) continue;
        // Names are unknown here, or resolve to this machine (tested below).
        expect(await get(outbound, url)).toMatch(/^GATEWAY_(BLOCKED|UNRESOLVED)$/);
      }
    },
  );

  it.for([
    ['this machine', [['127.0.0.1']]],
    ['this machine, in IPv6', [['::1']]],
    ['what holds its address', [['::ffff:127.0.0.1']]],
    ['a public address and this machine', [['93.184.215.14', '127.0.0.1']]],
    ['this machine and a public address', [['127.0.0.1', '93.184.215.14']]],
    ['a public IPv4 and a private IPv6 address', [['93.184.215.14', '::1']]],
    ['a private IPv4 and a public IPv6 address', [['10.0.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']]],
    ['the data of a cloud', [['169.254.169.254']]],
    ['no address at all', [['localhost', '93.184.215.14']]],
    ['one link', [['fe80::1%lo']]],
  ] as const)('is rejected for a name that resolves to %s', async ([, script]) => {
    const resolve = scriptedResolve({ 'hooks.example.com': script });
    const { dial, reached } = fakeInternet(port);
    for (const dialling of [{}, { dial }])
      expect(
        await get(outboundWith({ resolve, ...dialling }), `http://hooks.example.com:${canary.port}/`),
      ).toBe('GATEWAY_BLOCKED');
    expect(reached).toEqual([]);
  });

  it('is checked anew each time, with one DNS lookup whose result it uses', async () => {
    const { dial, reached } = fakeInternet(port);
    const looks: string[] = [];
    const script = scriptedResolve({
      'rebound.example.com': [['93.184.215.14'], ['127.0.0.1'], ['8.8.8.8']],
    });
    const outbound = outboundWith({
      dial,
      resolve: (name) => {
        looks.push(name);
        return script(name);
      },
    });
    const url = `http://rebound.example.com:${canary.port}/`;
    expect(await get(outbound, url)).toBe(200);
    expect(await get(outbound, url)).toBe('GATEWAY_BLOCKED');
    expect(await get(outbound, url)).toBe(200);
    expect(looks).toHaveLength(3);
    expect(reached).toEqual(['93.184.215.14', '8.8.8.8']);
  });

  it('to an allowed name uses the result of one DNS lookup', async () => {
    const looks: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      looks.push(name);
      return ['127.0.0.1'];
    };
    const outbound = outboundWith({ resolve, allowedHosts: [`hooks.test:${port}`] });
    expect(await get(outbound, `http://hooks.test:${port}/x`)).toBe(200);
    expect(asked).toEqual([`hooks.test:${port}/x`]);
    expect(looks).toEqual(['hooks.test']);
    expect(await get(outbound, `http://hooks.test:${canary.port}/x`)).toBe('GATEWAY_BLOCKED');
  });

  it('is rejected into own networks of the operator, even public ones', async () => {
    const { dial, reached } = fakeInternet(port);
    const resolve = scriptedResolve({
      'a.example.com': [['8.8.8.8', '93.184.215.14']],
      'b.example.com': [['8.8.8.8']],
    });
    const outbound = outboundWith({ dial, resolve, ownNetworks: ['93.184.215.0/24', '2606::/16'] });
    for (const host of ['a.example.com', '93.184.215.14', '[2606::1]'])
      expect(await get(outbound, `http://${host}/`)).toBe('GATEWAY_BLOCKED');
    expect(await get(outbound, 'http://b.example.com/')).toBe(200);
    expect(reached).toEqual(['8.8.8.8']);
  });

  it('fails as unresolved for an unknown name or a failing nameserver', async () => {
    expect(await get(outboundWith(), 'http://nowhere.example.com/')).toBe('GATEWAY_UNRESOLVED');
    const resolve = async (): Promise<string[]> => {
      throw Object.assign(new Error('queryA ESERVFAIL x'), { code: 'ESERVFAIL' });
    };
    expect(await get(outboundWith({ resolve }), 'http://x.example.com/')).toBe('GATEWAY_UNRESOLVED');
  });

  it.for([22, 25, 6379])('is rejected for port %i of any host', async (forbidden) => {
    const { dial, reached } = fakeInternet(port);
    const outbound = outboundWith({ dial, resolve: scriptedResolve(publicNames) });
    expect(await get(outbound, `http://93.184.215.14:${forbidden}/`)).toBe('GATEWAY_BLOCKED');
    expect(await get(outbound, `http://example.com:${forbidden}/`)).toBe('GATEWAY_BLOCKED');
    expect(reached).toEqual([]);
  });

  it('is allowed to every host that only looks private', async () => {
    const { dial, reached } = fakeInternet(port);
    const outbound = outboundWith({ dial, resolve: scriptedResolve(publicNames) });
    for (const spelling of harmlessSpellings) {
      const url = spelling.replace('https', 'http');
      expect([url, await get(outbound, url)]).toEqual([url, 200]);
    }
    expect(reached.length).toBeGreaterThan(harmlessSpellings.length);
    expect(asked).toHaveLength(harmlessSpellings.length);
  });

  it.for([301, 302, 303, 307, 308])('is not made to the target of a %i redirect', async (status) => {
    const { dial } = fakeInternet(port);
    const outbound = outboundWith({ dial, resolve: scriptedResolve(publicNames) });
    const target = `http://127.0.0.1:${canary.port}/`;
    const once = `/moved/${status}/${encodeURIComponent(target)}`;
    const twice = `/moved/${status}/${encodeURIComponent(`http://example.com${once}`)}`;
    expect(await get(outbound, `http://example.com${once}`)).toBe(status);
    expect(await get(outbound, `http://example.com${twice}`)).toBe(status);
    expect(asked).toHaveLength(2);
  });
});
