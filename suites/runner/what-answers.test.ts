import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { preflight } from './preflight.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

function ours(code: string): string {
  return JSON.stringify({ error: { code, message: 'No.', type: 'x', param: null } });
}

/** Answers every request alike. */
function always(status: number, headers: Record<string, string>, body: string): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(body);
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the preflight says of a server: an error, or the models that it found. */
async function seen(listener: RequestListener, scheme = 'http'): Promise<unknown> {
  const server = createServer(listener);
  onTestFinished(() => server.closeAllConnections());
  return told(`${scheme}://${await listening(server)}`);
}

async function told(baseUrl: string): Promise<unknown> {
  const profile = profileSchema.parse({
    base_url: baseUrl,
    keys: { K1: 'k' },
    timeouts: { answer_ms: 600 },
  });
  return preflight(profile).then(
    ({ models }) => models,
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

it.each<[what: string, listener: RequestListener, said: RegExp]>([
  ['a web site', always(200, html, '<h1>Welcome</h1>'), /^UnreachableError: .*: this is a web site/],
  ['200 to everything', always(200, json, '{}'), /^UnreachableError: .*HTTP 200, .*: check the base URL/],
  ['a login in front of it', always(401, html, 'Log in'), /^UnreachableError: .*ask for a login/],
  ['a broken proxy', always(502, html, 'Bad Gateway'), /^UnreachableError: .*it may be down/],
  ['a redirect', always(301, { location: 'https://x' }, ''), /^UnreachableError: .*it redirects/],
  [
    'another API',
    always(200, json, '{"data":[{"id":"large-1"}]}'),
    /^UnreachableError: .*another dialect.*gatecheck init/,
  ],
  ['a refused key', always(401, json, ours('invalid_api_key')), /^UsageError: .*refuses the key/],
  ['silence', () => undefined, /^UnreachableError: nothing to judge .*did not answer it/],
  ['a closed connection', (request) => request.socket.destroy(), /^UnreachableError: .*closed the conn/],
])('%s is not judged, and one sentence says why', async (_, listener, said) => {
  expect(await seen(listener)).toMatch(said);
});

it('a server that never ends its answer is left after few bytes', async () => {
  let sent = 0;
  const flood = (response: ServerResponse): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a'))) sent += 65_536;
    response.once('drain', () => flood(response));
  };
  expect(await seen((_, response) => flood(response))).toMatch(
    /^UnreachableError: .*its answers do not end \(GET .*bytes of body/,
  );
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

it.each([
  ['one byte at a time', (response: ServerResponse) => setInterval(() => response.write(' '), 50)],
  ['with a head alone', (response: ServerResponse) => response.flushHeaders()],
])('a server that lists its models and answers the rest %s is not judged', async (_, trickle) => {
  const ids = JSON.stringify({ data: [{ id: 'alpha-5-2' }] });
  const said = await seen((request, response) => {
    response.writeHead(200, json);
    if (request.method === 'GET') return response.end(ids);
    const timer = trickle(response);
    response.once('close', () => typeof timer === 'object' && clearInterval(timer));
  });
  expect(said).toMatch(/^UnreachableError: .*its answers do not end \(POST \S+: no end within 600 ms\)/);
});

it('a port that does not speak TLS is told from one that is closed', async () => {
  expect(await seen(always(200, json, '{}'), 'https')).toMatch(/^UnreachableError: .*try http:\/\//);
  const server = createTcpServer();
  const address = await listening(server);
  server.close();
  await once(server, 'close');
  expect(await told(`http://${address}`)).toMatch(/^UnreachableError: .*nothing listens there/);
});

it('a port that speaks something else than HTTP gets advice', async () => {
  const server = createTcpServer((socket) => socket.end('\x15\x03\x01\x00\x02\x02'));
  expect(await told(`http://${await listening(server)}`)).toMatch(/^UnreachableError: .*try https:\/\//);
});

it.each<[what: string, listener: RequestListener]>([
  ['fails at everything', always(500, json, ours('internal_error'))],
  ['lists a model of the specification, and refuses in other words', modelsThen(400, '{"detail":"no"}')],
])('a deployment of this interface that %s is judged', async (_, listener) => {
  expect(await seen(listener)).toEqual(expect.arrayContaining(['alpha-5-2']));
});

function modelsThen(status: number, body: string): RequestListener {
  return (request, response) => {
    const isList = request.method === 'GET';
    response.writeHead(isList ? 200 : status, json).end(isList ? '{"data":[{"id":"alpha-5-2"}]}' : body);
  };
}

it('waits for a slot that another client has, and counts the refusals', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked <= 3) always(429, json, ours('concurrency_exceeded'))(request, response);
    else always(200, json, '{"data":[{"id":"alpha-5-2"}]}')(request, response);
  });
  const baseUrl = `http://${await listening(server)}`;
  const found = await preflight(profileSchema.parse({ base_url: baseUrl, keys: { K1: 'k' } }));
  expect(found).toMatchObject({ models: ['alpha-5-2'], refusedByCap: 3 });
});
