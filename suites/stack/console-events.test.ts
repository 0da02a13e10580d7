import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { eventHeaders } from '../oracle/webhooks/sign.ts';
import { startReceiver } from '../receiver/start.ts';
import { consoleInbox, serveConsoleEvents } from './console-events.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function told(url: string): Promise<{ status: number; answer: Record<string, unknown> }> {
  const { statusCode, body } = await request(url);
  return { status: statusCode, answer: (await body.json()) as Record<string, unknown> };
}

it('lists the deliveries of every inbox under a secret path, newest first, with tries and signatures', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'console-events-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const began = Date.now();
  let now = began;
  const options = { host: '127.0.0.1', port: 0, hosts: [], dir, files: {}, plain: false };
  const receiver = await startReceiver({ ...options, now: () => now });
  onTestFinished(() => receiver.close());
  const agent = new Agent({ connect: { ca: readFileSync(receiver.ca, 'utf8') } });
  onTestFinished(() => agent.close());
  const source = await serveConsoleEvents();
  onTestFinished(() => source.close());
  expect(await told(source.url)).toEqual({ status: 200, answer: { receiver: false, deliveries: [] } });
  await source.connect(receiver.control_url, [secret]);
  expect(await told(source.url)).toEqual({ status: 200, answer: { receiver: true, deliveries: [] } });

  const body = '{"type":"task.success"}';
  const signed = eventHeaders([secret], { id: 'evt_1', timestamp: '1000', body: Buffer.from(body) });
  for (const sent of [body, body, `${body} `]) {
    now += 10;
    const { body: answer } = await request(`${receiver.url}/${consoleInbox}`, {
      method: 'POST',
      dispatcher: agent,
      headers: signed.flat(),
      body: sent,
    });
    await answer.dump();
  }
  const { answer } = await told(source.url);
  expect(answer.deliveries).toMatchObject([
    { inbox: consoleInbox, n: 3, nth: 3, signature: { ok: false, word: 'not signed: mismatch' } },
    { n: 2, nth: 2, at_ms: began + 20, type: 'task.success', answered: '200', signature: { ok: true } },
    { n: 1, nth: 1, signature: { ok: true, message: 'Rightly signed, evt_1 of 1970-01-01T00:16:40.000Z' } },
  ]);
  expect(JSON.stringify(answer)).not.toContain(secret);
  expect((await told(new URL('/', source.url).href)).status).toBe(404);
  const { statusCode } = await request(source.url, { headers: { host: 'rebound.example' } });
  expect(statusCode).toBe(403);
});
