import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAgreement } from '../testing/document-agreement.ts';
import {
  completion,
  events,
  type FakeUpstream,
  frames,
  startFakeUpstream,
} from '../testing/fake-upstream.ts';
import { askGenerate } from '../testing/generate-content-caller.ts';
import { generated } from '../testing/generate-content-upstream.ts';
import { fits } from '../testing/json-schema.ts';
import { legalRequest } from '../testing/legal-request.ts';
import { messagesRequest, postMessages } from '../testing/messages-caller.ts';
import { message } from '../testing/messages-upstream.ts';
import { type StoredGateway, startStoredGateway, testPrices } from '../testing/stored-gateway.ts';
import { adminToken, testConfig, testKey } from '../testing/test-gateway.ts';
import { parseEvents, read } from '../testing/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look at arbitrary members of the document.
type Json = any;

let upstream: FakeUpstream;
let gateway: StoredGateway;
let document: Json;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startStoredGateway(testConfig(upstream.url, { prices: testPrices }));
  document = (await read(`${gateway.url}/api/v1/openapi.json`, { key: testKey })).json;
});
afterEach(() => {
  upstream.fallback = completion('Hello');
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const named = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

it('is the same for every key and for administrators', async () => {
  const forAdmins = await read(`${gateway.url}/api/admin/openapi.json`, { key: adminToken });
  expect(forAdmins.json).toEqual(document);
  expect((await read(`${gateway.url}/api/admin/openapi.json`, { key: testKey })).status).toBe(401);
  expect((await read(`${gateway.url}/api/v1/openapi.json`)).status).toBe(401);
});

describe('chat', () => {
  const tool = { type: 'function', function: { name: 'f', parameters: {} } };
  it.for<[object, boolean]>([
    [{}, true],
    [{ temperature: 2, top_p: null, max_tokens: 1, stop: ['a', 'b'], seed: -1, n: 1 }, true],
    [{ temperature: 2.1 }, false],
    [{ top_p: -0.1 }, false],
    [{ max_tokens: 0 }, false],
    [{ max_tokens: 1.5 }, false],
    [{ stream: 'yes' }, false],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, false],
    [{ stop: '' }, false],
    [{ seed: 0.5 }, false],
    [{ user: 5 }, false],
    [{ n: 2 }, false],
    [{ messages: [] }, false],
    [{ messages: 'hi' }, false],
    [{ messages: [{ role: 'robot', content: 'hi' }] }, false],
    [{ messages: [{ role: 'user', content: 'hi', mood: 'good' }] }, false],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: {} }] }] }, true],
    [{ tools: [tool], tool_choice: 'required' }, true],
    [{ tools: [{ ...tool, function: { name: 'no spaces' } }] }, false],
    [{ tools: [{ ...tool, function: { name: 'f', parameters: [] } }] }, false],
    [{ tools: [tool], tool_choice: 'some' }, false],
    [{ response_format: { type: 'xml' } }, false],
    [{ response_format: { type: 'text' } }, true],
    [{ metadata: Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`k${i}`, 'v'])) }, true],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) }, false],
    [{ metadata: { k: '😀'.repeat(64) } }, true],
    [{ metadata: { k: '😀'.repeat(65) } }, false],
    [{ metadata: { ['k'.repeat(65)]: 'v' } }, false],
    [{ metadata: { k: 5 } }, false],
    [{ metadata: ['k'] }, false],
    [{ colour: 'red' }, false],
  ])('bodies are taken and refused as it says: %j (%s)', async ([more, isLegal]) => {
    const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }], ...more };
    const answer = await gateway.chat(body);
    expect(answer.status).toBe(isLegal ? 200 : 400);
    expectAgreement(document, named('ChatRequest'), body, answer);
  });

  it('cache marks are accepted and rejected as the document says', async () => {
    upstream.fallback = message('Hello');
    const marked = (mark: object): object => ({
      model: 'beta-large-4-5',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'be brief', cache_control: mark }] },
        { role: 'user', content: 'hi' },
      ],
    });
    for (const mark of [
      { type: 'ephemeral' },
      { type: 'ephemeral', ttl: '1h' },
      { type: 'ephemeral', ttl: '2h' },
      {},
    ]) {
      expectAgreement(document, named('CachingChatRequest'), marked(mark), await gateway.chat(marked(mark)));
    }
  });

  it('bodies that the gateway accepts fit the document', () => {
    fc.assert(
      fc.property(legalRequest, (request) => {
        const body = JSON.parse(JSON.stringify({ model: 'beta-large-4-5', ...request }));
        expect(fits(named('CachingChatRequest'), body, document)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('answers fit the document, whole and streamed', async () => {
    const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
    upstream.queue.push(
      completion(null, {
        finish: 'tool_calls',
        message: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      }),
    );
    expect(fits(named('ChatCompletion'), (await gateway.chat(body)).json, document)).toBe(true);
    expect(fits(named('ChatCompletion'), (await gateway.chat(body)).json, document)).toBe(true);
    upstream.fallback = events(frames(['one', 'two']));
    const { chunks } = parseEvents((await gateway.chat({ ...body, stream: true })).text);
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) expect(fits(named('ChatCompletionChunk'), chunk, document)).toBe(true);
    const list = await read(`${gateway.url}/api/v1/models`, { key: testKey });
    expect(fits(named('ModelList'), list.json, document)).toBe(true);
    const balance = await read(`${gateway.url}/api/v1/balance`, { key: testKey });
    expect(fits(named('Balance'), balance.json, document)).toBe(true);
    expect(fits(named('Error'), (await gateway.chat({})).json, document)).toBe(true);
  });
});

describe('compat path A', () => {
  it.for<[object, boolean]>([
    [{}, true],
    [{ thinking: { type: 'enabled' }, something: 'new' }, true],
    [{ max_tokens: 0 }, false],
    [{ max_tokens: '5' }, false],
    [{ messages: [] }, false],
    [{ messages: [{ role: 'robot', content: 'hi' }] }, false],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, false],
    [
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'unheard_of', more: 1 },
              { type: 'text', text: 'x' },
            ],
          },
        ],
      },
      true,
    ],
    [{ messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url' } }] }] }, false],
    [
      {
        messages: [
          { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://a.b/c.png' } }] },
        ],
      },
      true,
    ],
    [{ stop_sequences: 'END' }, false],
    [{ stop_sequences: ['END'] }, true],
    [{ tools: [{ name: 'f', input_schema: {} }] }, true],
    [{ tools: [{ type: 'custom', name: 'f' }] }, false],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, true],
    [{ tool_choice: { type: 'some' } }, false],
    [{ metadata: { user_id: 5 } }, false],
  ])('bodies are taken and refused as it says: %j (%s)', async ([more, isLegal]) => {
    upstream.fallback = message('Hello');
    const body = { ...messagesRequest, ...more };
    const answer = await postMessages(gateway, body);
    expect(answer.status).toBe(isLegal ? 200 : 400);
    expectAgreement(document, named('MessagesRequest'), body, answer);
    if (isLegal) expect(fits(named('Message'), answer.json, document)).toBe(true);
    else expect(fits(named('MessagesError'), answer.json, document)).toBe(true);
  });
});

describe('compat path B', () => {
  const turn = { role: 'user', parts: [{ text: 'hi' }] };
  it.for<[object, boolean]>([
    [{ contents: [turn] }, true],
    [{ contents: [turn], unheard_of: 5 }, true],
    [{}, false],
    [{ contents: [] }, false],
    [{ contents: [{ role: 'robot', parts: [{ text: 'hi' }] }] }, false],
    [{ contents: [{ parts: [] }] }, false],
    [{ contents: [{ parts: [{ inlineData: 'no object' }] }] }, false],
    [{ contents: [{ parts: [{ inlineData: {}, inline_data: {} }] }] }, false],
    [{ contents: [turn], generationConfig: { temperature: 1, maxOutputTokens: 5 } }, true],
    [{ contents: [turn], generation_config: { max_output_tokens: 0 } }, false],
    [{ contents: [turn], generationConfig: { candidateCount: 2 } }, false],
    [{ contents: [turn], generationConfig: {}, generation_config: {} }, false],
    [{ contents: [turn], systemInstruction: 'be brief' }, true],
    [{ contents: [turn], systemInstruction: 5 }, false],
    [{ contents: [turn], tools: [5] }, false],
  ])('bodies are taken and refused as it says: %j (%s)', async ([body, isLegal]) => {
    upstream.fallback = generated(['Hello']);
    const answer = await askGenerate(gateway, 'gamma-3-pro:generateContent', body);
    expect(answer.status).toBe(isLegal ? 200 : 400);
    expectAgreement(document, named('GenerateContentRequest'), body, answer);
    if (isLegal) expect(fits(named('GeneratedContent'), answer.json, document)).toBe(true);
    else expect(fits(named('GenerateContentError'), answer.json, document)).toBe(true);
  });
});
