import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageRecordsOf } from '../engine/usage-record.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import { jsonOf } from '../wire/exchange.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
let client: WireClient;
beforeAll(async () => {
  stack = await startStack({ seed: 1, lanes: 1 });
  client = createWireClient(stack.profile);
});
afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

it.for([false, true])('the stack shows what a request is billed by (stream: %j)', async (stream) => {
  const exchange = await client.send({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { authorization: `Bearer ${stack.profile.keys.K1}` },
    body: { model: 'beta-mid-4-5', messages: [{ role: 'user', content: 'Count this.' }], stream },
  });
  const [record, ...others] = await usageRecordsOf(exchange, stack.profile);
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    model_served: 'beta-mid-4-5',
    outcome: 'success',
    stream,
    attempts: 1,
    usage_known: true,
  });
  if (!stream) {
    const { usage } = jsonOf(exchange) as { usage: { prompt_tokens: number; completion_tokens: number } };
    expect(record).toMatchObject({
      prompt_tokens: usage.prompt_tokens,
      completion_tokens: usage.completion_tokens,
    });
  }
});
