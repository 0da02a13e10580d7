// Simulated upstreams inside a test: a rate limit once, then an answer. The test fails when a reply was not used, or when a
// request arrived that nothing is scripted for.
//
//   npm install --save-dev ../gatecheck/gatecheck-simulators-0.1.0.tgz      (simulators/README.md)
//   node --test own-retry.test.ts

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { upstreamFor } from 'gatecheck-simulators/node-test';

test('a client tries again after a rate limit', async (context) => {
  const upstream = await upstreamFor(context);
  upstream.on({ text: 'hello' }, { status: 429, headers: { 'retry-after': '0' } }, 'Hello.');
  assert.match(await askTwice(`${upstream.v1}/chat/completions`), /"Hello\."/);
  assert.equal(upstream.requests().length, 2);
});

/** What stands here for the client that you test. */
async function askTwice(url: string): Promise<string> {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'hello' }] });
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
  const ask = () => fetch(url, { method: 'POST', headers, body });
  const first = await ask();
  return first.status === 429 ? (await ask()).text() : first.text();
}
