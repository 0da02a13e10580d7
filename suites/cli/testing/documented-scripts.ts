import { fileURLToPath, pathToFileURL } from 'node:url';

const kit = pathToFileURL(fileURLToPath(new URL('../../../simulators/webhooks/', import.meta.url))).href;

/** For each document, a function that turns a JavaScript block into a runnable module. */
export const scripts: Readonly<Record<string, (block: string) => string>> = {
  'docs/gateway.md': (block) => `
    import Anthropic from '@anthropic-ai/sdk';
    import { GoogleGenAI } from '@google/genai';
    import OpenAI from 'openai';
    const [gateway, apiKey] = ['http://127.0.0.1:8080', 'sk-app-replace-me-by-32-random-letters'];
    const [chat, messages, generate] = [
      ${block.replaceAll(/(?<=\))(?=\s*\/\/)/g, ',')}
    ];
    const asked = [{ role: 'user', content: 'Hello' }];
    await chat.chat.completions.create({ model: 'alpha-5-2', messages: asked });
    await messages.messages.create({ model: 'beta-mid-4-5', max_tokens: 50, messages: asked });
    await generate.models.generateContent({ model: 'gamma-3-flash', contents: 'Hello' });`,
  // The helper for vitest and that for node:test differ only in how a test gets its upstream.
  'simulators/README.md': (block) => `
    import { rejects } from 'node:assert';
    import { test } from 'node:test';
    import OpenAI from 'openai';
    import { upstreamFor } from 'gatecheck-simulators/node-test';
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json', 'idempotency-key': '1' };
    const job = { model: 'vidB2-native', input: { prompt_text: 'The sea' } };
    const yourClient = async ({ baseURL }) => {
      const { completions } = new OpenAI({ baseURL, apiKey: 'any' }).chat;
      const ask = (content, stream) =>
        completions.create({ model: 'any', messages: [{ role: 'user', content }], stream });
      await ask('hello', false);
      await rejects(async () => { for await (const _ of await ask('rain', true)); });
      await fetch(baseURL + '/jobs', { method: 'POST', headers, body: JSON.stringify(job) });
    };
    ${block
      .replace(/^import .*/, '')
      .replace('({ upstream }) => {', '(context) => { const upstream = await upstreamFor(context);')}`,
  'simulators/webhooks/README.md': (block) => `
    import { createHmac } from 'node:crypto';
    import { SeenIds } from '${kit}seen.ts';
    import { readSecrets } from '${kit}secrets.ts';
    import { verifyEvent } from '${kit}verify.ts';
    const secret = Buffer.alloc(32, 7);
    process.env.WEBHOOK_SECRETS = 'whsec_' + secret.toString('base64');
    const at = String(Math.floor(Date.now() / 1000));
    const body = Buffer.from('{"type":"task.success"}');
    const signed = createHmac('sha256', secret).update('evt_1.' + at + '.' + body).digest('base64');
    const headers = [['webhook-id', 'evt_1'], ['webhook-timestamp', at], ['webhook-signature', 'v1,' + signed]];
    headers.push(['x-service-timestamp', at]);
    const seen = new SeenIds(() => Date.now());
    const refuse = (status, message) => { throw new Error(status + ': ' + message); };
    let processed;
    async function take(process) {
      const { env } = globalThis.process;
      ${block.replace('process.env', 'env')}
    }
    await take((event) => { processed = event; });
    if (processed?.type !== 'task.success') throw new Error('the event was not processed');`,
};
