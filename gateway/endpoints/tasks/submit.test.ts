import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hold } from '../../billing/ledger.ts';
import { mediaBody } from '../../testing/media-bodies.ts';
import { testPrices } from '../../testing/stored-gateway.ts';
import { startTestGateway, type TestGateway, testConfig } from '../../testing/test-gateway.ts';

const nowhere = 'http://127.0.0.1:9';
const hourMs = 3_600_000;

let gateway: TestGateway;
beforeAll(async () => {
  const prices = { ...testPrices, 'voice-music': { per_task: '0.25' }, vidB2: { per_second: '0.05' } };
  gateway = await startTestGateway(testConfig(nowhere, { prices }));
});
afterAll(() => gateway.close());

/** The task that was handed in last. */
const last = () => gateway.tasks.all().at(-1);

describe('a submission', () => {
  it('keeps all that its job and its charge need', async () => {
    const url = 'https://hooks.example.com/done';
    const { headers } = await gateway.submit(mediaBody('vidB2', { duration: 10, webhook_url: url }));
    expect(last()).toMatchObject({
      requestId: headers['x-request-id'],
      accountId: 'acc',
      userId: 'usr',
      appId: 'app',
      keyId: 'key-1',
      medium: 'video',
      action: null,
      fields: { prompt: 'a quiet sea', duration: 10, aspect_ratio: '16:9' },
      parents: [],
      webhookUrl: url,
      channelsOf: ['acc'],
      channelId: null,
      price: { unit: 'second', unitPico: 50_000_000_000n, markupBp: 0 },
      deadlineAtMs: (last()?.submittedAtMs ?? 0) + hourMs,
    });
  });

  it('holds what it may cost, and leaves the hold to the task', async () => {
    const holds: Hold[] = [];
    gateway.onHold = async (hold) => {
      holds.push(hold);
      return 'held';
    };
    const { headers } = await gateway.submit(mediaBody('voice-music'));
    const requestId = headers['x-request-id'];
    expect(holds).toMatchObject([{ requestId, accountId: 'acc', amount: 250_000_000_000n }]);
    expect(gateway.entrusted).toContain(requestId);
    expect(gateway.released).not.toContain(requestId);
    expect(gateway.records).toEqual([]);
  });

  it('gives back what it held when the task cannot be kept', async () => {
    const count = gateway.tasks.all().length;
    gateway.tasks.onSubmit = () => Promise.reject(new Error('no database'));
    const { status, headers, json } = await gateway.submit(mediaBody('voice-music'));
    gateway.tasks.onSubmit = async () => {};
    expect({ status, code: json.error.code }).toEqual({ status: 500, code: 'internal_error' });
    expect(gateway.released).toContain(headers['x-request-id']);
    expect(gateway.entrusted).not.toContain(headers['x-request-id']);
    expect(gateway.tasks.all()).toHaveLength(count);
  });

  it('of an account that has nothing left is refused, and no task', async () => {
    const count = gateway.tasks.all().length;
    gateway.onHold = async () => 'no_credits';
    const { status, json } = await gateway.submit(mediaBody('voice-music'));
    gateway.onHold = async () => 'held';
    expect({ status, code: json.error.code }).toEqual({ status: 429, code: 'quota_exceeded' });
    expect(gateway.tasks.all()).toHaveLength(count);
  });
});

describe('what is refused', () => {
  /** The refusal of a body that must not become a task. */
  async function refusal(body: unknown, key?: string): Promise<[number, string, string | null]> {
    const count = gateway.tasks.all().length;
    const { status, json } = await gateway.submit(body, key);
    expect(gateway.tasks.all()).toHaveLength(count);
    return [status, json.error.code, json.error.param];
  }
  const wrongModel = [404, 'model_not_found', 'model'];

  it('is a model that is not enabled for the account', async () => {
    expect(await refusal(mediaBody('vidB2'), 'sk-app-other-account')).toEqual(wrongModel);
  });
});
