import { createServer } from 'node:http';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuseForeign } from './foreign-caller.ts';
import { listenOnLoopback } from './loopback.ts';

const server = createServer((incoming, response) => {
  if (!refuseForeign(incoming, response)) response.end('done');
});
let url: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function answerTo(headers: Record<string, string>): Promise<string> {
  const { body } = await request(url, { method: 'POST', headers, body: '{}' });
  return body.text();
}

it.each(['127.0.0.1', '127.3.2.1:1', 'localhost:9', 'Localhost.', 'x.localhost:2', '[::1]:3'])(
  'accepts host %s, also as an origin',
  async (host) => {
    expect(await answerTo({ host })).toBe('done');
    expect(await answerTo({ host, origin: `http://${host}` })).toBe('done');
  },
);

it.each([
  'pages.example',
  'localhost.pages.example:80',
  'mylocalhost',
  '10.0.0.1',
  '0.0.0.0',
  '[fe80::1]',
  'me@127.0.0.1',
  '127.0.0.1/me',
])('rejects host %s, also as an origin', async (host) => {
  expect(await answerTo({ host })).toContain('say 127.0.0.1 or localhost');
  expect(await answerTo({ host: 'localhost', origin: `https://${host}` })).toContain('outside a browser');
});

it('rejects pages without an origin and of other sites', async () => {
  expect(await answerTo({ origin: 'null' })).toContain('outside a browser');
  expect(await answerTo({ 'sec-fetch-site': 'cross-site' })).toContain('outside a browser');
  expect(await answerTo({ 'sec-fetch-site': 'none' })).toBe('done');
});
