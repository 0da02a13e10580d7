import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type FrontProxy, startFrontProxy } from './front-proxy.ts';
import { endToEnd, headerPairs } from './proxy-headers.ts';
import { exchange, type Origin, openResponse, type Sent, startOrigin } from './testing/origin.ts';
import { startUpstreamRelay } from './upstream-relay.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function passThrough(answer: Answer): Promise<{ origin: Origin; url: string }> {
  const origin = await startOrigin(answer);
  const proxy: FrontProxy = await startFrontProxy(origin.url, new Map([['none', {}]]));
  ends.push(origin.close, proxy.close);
  return { origin, url: proxy.baseUrlOf('none') };
}

describe('a proxy without a mutation', () => {
  const cases: { name: string; sent: Sent; path?: string; answer: Answer }[] = [
    {
      name: 'a JSON answer with a length, odd header names and a header twice',
      sent: {
        method: 'POST',
        headers: [
          ['CONTENT-type', 'application/json'],
          ['X-Twice', 'a'],
          ['x-twice', 'b'],
        ],
        body: '{"a":1}',
      },
      answer: (_, response) =>
        response
          .writeHead(200, 'Fine', [
            'Date',
            'x',
            'Content-TYPE',
            'application/json',
            'Set-Cookie',
            'a=1',
            'set-cookie',
            'b=2',
            'content-length',
            '11',
          ])
          .end('{"ok":true}'),
    },
    {
      name: 'an error with a body in pieces',
      sent: {},
      answer: (_, response) => {
        response.writeHead(503, ['date', 'x']).write('one ');
        response.end('two');
      },
    },
    {
      name: 'an answer to HEAD',
      sent: { method: 'HEAD' },
      answer: (_, response) => response.writeHead(200, ['date', 'x', 'content-length', '12345']).end(),
    },
    {
      name: 'bytes beyond ASCII in a header',
      sent: { headers: [['x-odd', 'caf\u00e9']] },
      answer: (request, response) =>
        response.writeHead(200, ['date', 'x', 'x-odd', String(request.headers['x-odd'])]).end(),
    },
    {
      name: 'a path that a parsed address would change',
      sent: {},
      path: '/a/../b//%2e%2F?q=%zz&q',
      answer: (_, response) => response.writeHead(404, ['date', 'x']).end(),
    },
  ];

  it.each(cases)('makes no difference to $name', async ({ sent, path, answer }) => {
    const seen: object[] = [];
    const { origin, url } = await passThrough((request, response, body) => {
      const own = ['host', 'content-length'];
      const headers = endToEnd(headerPairs(request.rawHeaders)).filter(
        ([name]) => !own.includes(name.toLowerCase()),
      );
      seen.push({
        method: request.method,
        url: request.url,
        headers,
        length: request.headers['content-length'] ?? '0',
        body,
      });
      answer(request, response, body);
    });
    const sentAll = {
      ...sent,
      headers: [
        ...(sent.headers ?? []),
        ...(sent.body ? [['content-length', String(sent.body.length)] as const] : []),
      ],
    };
    const direct = await exchange(origin.url + (path ?? '/api/x?y=1'), sentAll);
    const proxied = await exchange(url + (path ?? '/api/x?y=1'), sentAll);
    expect({ ...proxied, headers: endToEnd(proxied.headers) }).toEqual({
      ...direct,
      headers: endToEnd(direct.headers),
    });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('passes a body of 40 MB in both directions', async () => {
    const { url } = await passThrough((_, response, body) => response.end(body));
    const body = Buffer.alloc(40 * 1024 * 1024, 'x');
    const answer = await exchange(`${url}/`, { method: 'POST', body });
    expect(answer.body.equals(body)).toBe(true);
  });

  it('closes the connection when the server behind closes its own after an answer', async () => {
    const { url } = await passThrough((_, response) =>
      response.writeHead(400, { connection: 'close' }).end(),
    );
    expect((await exchange(`${url}/`)).headers).toContainEqual(['connection', 'close']);
  });

  it('passes the head and each piece of a stream on before the next one exists', async () => {
    const opened = Promise.withResolvers<ServerResponse>();
    const { url } = await passThrough((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      opened.resolve(response);
    });
    const client = await openResponse(`${url}/`);
    const stream = await opened.promise;
    for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
      stream.write(piece);
      const [bytes] = (await once(client, 'data')) as [Buffer];
      expect(bytes.toString()).toBe(piece);
    }
    stream.end();
    await once(client, 'end');
  });

  it('disconnects from the server when the client disconnects, before and during the answer', async () => {
    for (const early of [true, false]) {
      const gone = Promise.withResolvers<boolean>();
      const arrived = Promise.withResolvers<void>();
      const { url } = await passThrough((_, response) => {
        response.once('close', () => gone.resolve(response.writableFinished));
        if (!early) response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        arrived.resolve();
      });
      const socket = await connectTo(url);
      await arrived.promise;
      socket.destroy();
      expect(await gone.promise).toBe(false);
    }
  });

  it.each([
    {
      name: 'resets',
      cut: (response: ServerResponse) => void response.socket?.resetAndDestroy(),
      reset: true,
    },
    { name: 'ends', cut: (response: ServerResponse) => void response.socket?.destroySoon(), reset: false },
  ])('$name the connection within an answer as the server behind does', async ({ cut, reset }) => {
    const { url } = await passThrough((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n', () => setImmediate(cut, response));
    });
    const socket = await connectTo(url);
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    const error = await new Promise<Error | null>((resolve) => {
      socket.once('error', resolve);
      socket.once('end', () => resolve(null));
    });
    expect(text).toContain('data: 1');
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
    expect((error as NodeJS.ErrnoException | null)?.code ?? null).toBe(reset ? 'ECONNRESET' : null);
  });

  it('resets connections when the server behind is not running', async () => {
    const { origin, url } = await passThrough(() => undefined);
    await origin.close();
    ends.splice(0, 1);
    await expect(exchange(`${url}/`)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('answers 404 itself for an unknown mutation', async () => {
    const { url } = await passThrough((_, response) => response.end('reached'));
    expect(await exchange(`${url}-not/x`)).toMatchObject({ status: 404 });
  });
});

describe('the upstream relay', () => {
  it('keeps the path and changes only the armed tenant, while it is armed', async () => {
    const origin = await startOrigin((request, response) => response.end(request.url));
    const relay = await startUpstreamRelay(origin.url);
    ends.push(origin.close, relay.close);
    const ask = async (tenant: string): Promise<string> =>
      (await exchange(`${relay.url}/${tenant}/alpha/v1/x`)).body.toString();
    relay.arm('lane-02', { answer: (answer) => ({ ...answer, body: Buffer.from('changed') }) });
    expect([await ask('lane-01'), await ask('lane-02')]).toEqual(['/lane-01/alpha/v1/x', 'changed']);
    relay.arm('lane-02', null);
    expect(await ask('lane-02')).toBe('/lane-02/alpha/v1/x');
  });
});

/** A bare connection with a request written to it, to observe how it ends. */
async function connectTo(url: string): Promise<ReturnType<typeof connect>> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${pathname}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return socket;
}
