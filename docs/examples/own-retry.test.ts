// Simulated upstreams inside a test. A test fails when a reply was not used, or when a request arrived that nothing is scripted for.
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

test('a stream breaks off in the middle', async (context) => {
  const upstream = await upstreamFor(context);
  upstream.on({ text: 'rain' }, { fault: 'reset-mid' });
  const answer = await post(`${upstream.v1}/chat/completions`, { ...chat('rain'), stream: true });
  await assert.rejects(answer.text());
});

test('a content filter stops an answer', async (context) => {
  const upstream = await upstreamFor(context);
  upstream.on({ text: 'war' }, { fault: 'filter-output' });
  const answer = await post(`${upstream.v1}/chat/completions`, chat('war'));
  assert.match(await answer.text(), /"finish_reason": ?"content_filter"/);
});

test('a video job never ends', async (context) => {
  const upstream = await upstreamFor(context);
  upstream.on({ model: 'vidB2-native' }, { fault: 'stuck' });
  const job = await post(`${upstream.v1}/jobs`, { model: 'vidB2-native', input: { prompt_text: 'The sea' } });
  const { id } = (await job.json()) as { id: string };
  const state = await fetch(`${upstream.v1}/jobs/${id}`, { headers });
  assert.match(await state.text(), /"status":"queued"/);
});

const headers = { authorization: 'Bearer any', 'content-type': 'application/json', 'idempotency-key': '1' };

function chat(content: string): object {
  return { model: 'any', messages: [{ role: 'user', content }] };
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** What stands here for the client that you test. */
async function askTwice(url: string): Promise<string> {
  const first = await post(url, chat('hello'));
  return first.status === 429 ? (await post(url, chat('hello'))).text() : first.text();
}
