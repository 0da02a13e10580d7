import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { preflight } from './preflight.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

function ours(code: string): string {
  return JSON.stringify({ error: { code, message: 'No.', type: 'x', param: null } });
}

/** Answers every request in the same way. */
function always(status: number, headers: Record<string, string>, body: string): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(body);
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the preflight reports about a server: an error, or the models that it found. */
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
  ['a broken proxy', always(502, html, 'Bad Gateway'), /^UnreachableError: .*it may be down/],
  ['a redirect', always(301, { location: 'https://x' }, ''), /^UnreachableError: .*it redirects/],
  ['a refused key', always(401, json, ours('invalid_api_key')), /^UsageError: .*refuses the key/],
])('%s is not judged, and one sentence says why', async (_, listener, said) => {
  expect(await seen(listener)).toMatch(said);
});

it('reports a closed port as such', async () => {
  const server = createTcpServer();
  const address = await listening(server);
  server.close();
  await once(server, 'close');
  expect(await told(`http://${address}`)).toMatch(/^UnreachableError: .*nothing listens there/);
});

it('suggests https for a port that does not speak HTTP', async () => {
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

it('waits for a slot that another client holds, and counts the refusals', async () => {
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
