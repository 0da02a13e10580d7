import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { minimalProfile } from '../profile/load-profile.ts';
import { dialectOf } from './dialect-of.ts';
import { lookAtInterface } from './look-at-interface.ts';

/** A gateway whose chat completions refuse the models of messages as in these words. */
async function gateway(words: (model: string) => string): Promise<string> {
  const ids = ['acme-claude-1', 'acme-claude-2', 'acme-claude-3', 'acme-gpt'];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (bytes: Buffer) => parts.push(bytes));
    request.on('end', () => {
      const { model } = JSON.parse(Buffer.concat(parts).toString() || '{}') as { model?: string };
      const [status, body] = ((): [number, object] => {
        if (request.url === '/v1/models') return [200, { data: ids.map((id) => ({ id })) }];
        if (!/\/(?:messages|completions)$/.test(request.url ?? '')) return [404, { detail: 'Not Found' }];
        if (model === undefined) return [422, { detail: 'model is missing' }];
        if (!ids.includes(model)) return [404, { detail: `there is no ${model}` }];
        return model === 'acme-gpt' ? [422, { detail: 'messages' }] : [404, { detail: words(model) }];
      })();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('describes models that only messages serve, and takes the refused field of another one', async () => {
  const origin = await gateway((model) => `${model} is bound to another protocol`);
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-app-right'));
  expect(seen?.requests).toBeLessThanOrEqual(15);
  expect(seen?.refusals.field?.response?.status).toBe(422);
  expect(seen === null ? null : dialectOf(seen).sections.dialect).toMatchObject({
    models: {
      'acme-claude-1': { like: 'beta-large-4-5', absent: ['chat'] },
      'acme-claude-2': { like: 'beta-mid-4-5', absent: ['chat'] },
      'acme-claude-3': { like: 'beta-small-4-5', absent: ['chat'] },
      'acme-gpt': { like: 'alpha-5-2' },
    },
  });
});

it('a refusal that blames the messages says nothing of the model', async () => {
  const origin = await gateway((model) => `the messages for ${model} are wrong`);
  const seen = await lookAtInterface(minimalProfile(origin, 'sk-app-right'));
  expect(seen?.notOnChat).toEqual([]);
});
