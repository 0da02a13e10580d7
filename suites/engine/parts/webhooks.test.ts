import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Profile, profileSchema } from '../../profile/profile.ts';
import { ReceiverControl } from '../../receiver/client.ts';
import { type RunningReceiver, startReceiver } from '../../receiver/start.ts';
import { pingReceivers } from '../../runner/ping-receiver.ts';
import { StackClock } from '../clock-control.ts';
import { missingFacts } from '../has-fact.ts';
import { CheckClock } from './check-clock.ts';
import { CheckRecord } from './check-record.ts';
import { Webhooks, type WebhooksSettings } from './webhooks.ts';

let dir: string;
let receiver: RunningReceiver;
let agent: Agent;
let control: ReceiverControl;
let stranger: Server;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'webhooks-test-'));
  const options = { host: '127.0.0.1', port: 0, hosts: [], dir, files: {}, plain: false };
  receiver = await startReceiver({ ...options, now: () => Date.now() });
  agent = new Agent({ connect: { ca: readFileSync(receiver.ca, 'utf8') } });
  control = new ReceiverControl(receiver.control_url);
  stranger = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await agent.close();
  await control.close();
  await receiver.close();
  stranger.close();
  rmSync(dir, { recursive: true });
});

function profileWith(receiverControl?: string): Profile {
  const webhooks = receiverControl === undefined ? {} : { receiver: { control: receiverControl } };
  return profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'sk-app-1' }, webhooks });
}

function webhooksWith(more: Partial<WebhooksSettings> = {}): Webhooks {
  const profile = profileWith();
  const signal = new AbortController().signal;
  return new Webhooks({
    profile,
    receiver: {
      control,
      baseUrl: receiver.url,
      canaryUrl: receiver.canary_url,
      untrustedUrl: receiver.untrusted_url,
    },
    secret: null,
    signal,
    sender: { postTo: () => Promise.reject(new Error('nothing is sent here')) },
    clock: new CheckClock(null, profile, signal),
    record: new CheckRecord(),
    ...more,
  });
}

async function post(url: string): Promise<number> {
  const headers = { 'X-Service-Timestamp': '5' };
  const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body: '{"a":1}' });
  await answer.body.dump();
  return answer.statusCode;
}

it('offers no inbox without a receiver, but a legal URL that leads nowhere', async () => {
  const webhooks = webhooksWith({ receiver: null });
  await expect(webhooks.inbox()).rejects.toThrow('webhooks.receiver');
  expect(webhooks.anyUrl('gc1')).toBe('https://hooks.example.com/gc1');
  expect(await post(webhooksWith().anyUrl('gc1'))).toBe(200);
});

it("dates an event by the deployment's clock, before and after a jump", async () => {
  let aheadMs = 0;
  const reading = () => ({ now_ms: Date.now() + aheadMs, next_due_ms: null });
  const clock = new StackClock([
    {
      read: async () => reading(),
      advance: async (ms) => {
        aheadMs += ms;
        return reading();
      },
    },
  ]);
  await clock.ping();
  const before = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(before + 2);
  await clock.advance(60_000);
  await expect.poll(() => Date.now()).toBeGreaterThan(before + 8);
  const [early, late] = [clock.timeAt(before), clock.timeAt(Date.now() + 1)];
  expect(Math.abs(early.max - before)).toBeLessThan(1_000);
  expect(late.min - Date.now()).toBeGreaterThan(59_000);
});

it('reports an unreachable receiver with its URL and the reason', async () => {
  const away = createServer();
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
  const { port } = away.address() as AddressInfo;
  await new Promise((resolve) => away.close(resolve));
  const strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  for (const [url, reason] of [
    [
      `https://127.0.0.1:${port}`,
      `webhooks.receiver: https://127.0.0.1:${port} cannot be reached (ECONNREFUSED`,
    ],
    [strangerUrl, `webhooks.receiver: ${strangerUrl} answers, but is another server`],
  ] as const) {
    const other = await startReceiver({
      ...{ host: '127.0.0.1', port: 0, hosts: [], dir, files: {}, plain: false },
      baseUrl: url,
      now: () => Date.now(),
    });
    const { kept, lost } = await pingReceivers(profileWith(other.control_url), 50);
    await other.close();
    expect(lost[0]).toContain(reason);
    expect(missingFacts(['webhooks.receiver'], kept)).toEqual(['webhooks.receiver']);
  }
});

it('reports a kit receiver that does not answer, and keeps one that refuses', async () => {
  for (const [url, lost] of [
    ['http://127.0.0.1:1', ['webhooks.kit']],
    [`http://127.0.0.1:${(stranger.address() as AddressInfo).port}`, []],
  ] as const) {
    const profile = profileWith();
    const webhooks = { ...profile.webhooks, kit: { url, secret: 'whsec_x' } };
    const found = await pingReceivers({ ...profile, webhooks });
    expect(found.lost.map((sentence) => sentence.split(': ')[0])).toEqual(lost);
    expect(missingFacts(['webhooks.kit'], found.kept)).toEqual(lost);
  }
});
