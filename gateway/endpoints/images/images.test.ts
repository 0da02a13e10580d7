import { describe, expect, it } from 'vitest';
import type { Hold } from '../../billing/ledger.ts';
import { type FakeUpstream, hang, json } from '../../testing/fake-upstream.ts';
import { mediaBody } from '../../testing/media-bodies.ts';
import { file, pngOf } from '../../testing/native-media.ts';
import { type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';
import { startRead } from '../../testing/wire.ts';

const png = pngOf(64, 48);
const inBase64 = { base64: png.toString('base64') };

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
  upstream.queue.length = 0;
  upstream.fallback = json(200, { created: 1, data: Array(4).fill(inBase64) });
});

describe('an answer with pictures', () => {
  it('gives our link for one that the upstream linked to', async () => {
    upstream.queue.push(json(200, { created: 1, data: [{ url: `${upstream.url}/a/b.png` }] }));
    upstream.answers.push(file(png));
    const { json: answer } = await gateway.images(mediaBody('kontext-pro'));
    expect(answer.data[0].url).toContain(`${gateway.url}/media/`);
    expect([...gateway.files.kept.values()].at(-1)).toEqual(png);
  });

  it('says what was drawn only where that is not the prompt', async () => {
    const drawn = (text: string) => ({ ...inBase64, revised_prompt: text });
    upstream.fallback = json(200, { created: 1, data: [drawn('a quiet sea'), drawn('a stormy sea')] });
    const { json: answer } = await gateway.images(mediaBody('alpha-image-2', { n: 2 }));
    expect(answer.data.map((item: { revised_prompt?: string }) => item.revised_prompt)).toEqual([
      undefined,
      'a stormy sea',
    ]);
  });

  it('is charged for what came, after the hold of what it may cost', async () => {
    const holds: Hold[] = [];
    gateway.onHold = async (hold) => {
      holds.push(hold);
      return 'held';
    };
    const { headers } = await gateway.images(mediaBody('alpha-image-2', { n: 3, webhook_url: null }));
    expect(holds).toMatchObject([{ requestId: headers['x-request-id'], accountId: 'acc' }]);
    expect(gateway.records).toMatchObject([
      {
        request_id: headers['x-request-id'],
        model_served: 'alpha-image-2',
        channel_id: 'ch-images',
        outcome: 'success',
        units: 3,
        unit: 'image',
        attempts: 1,
        prompt_tokens: 0n,
      },
    ]);
    expect(gateway.released).toEqual([]);
  });
});

describe('without an answer', () => {
  /** What a body is answered with, and what was charged for it. */
  async function refusal(body: unknown): Promise<(string | number | null | undefined)[]> {
    const { status, json: answer } = await gateway.images(body);
    const [record] = gateway.records.slice(-1);
    expect(record?.charge_pico ?? 0n).toBe(0n);
    return [status, answer.error.code, answer.error.param, record?.outcome, record?.units];
  }

  it('an account that has nothing left is refused, and the upstream not asked', async () => {
    gateway.onHold = async () => 'no_quota';
    expect((await refusal(mediaBody('kontext-pro'))).slice(0, 3)).toEqual([429, 'quota_exceeded', null]);
    expect(upstream.seen).toEqual([]);
  });

  it('nothing is charged when the record cannot be kept, and no picture given', async () => {
    gateway.onWrite = () => Promise.reject(new Error('no database'));
    const { status, text } = await gateway.images(mediaBody('kontext-pro'));
    expect(status).toBe(500);
    expect(text).not.toContain('/media/');
  });

  it('a caller who leaves is charged nothing', async () => {
    upstream.fallback = hang;
    const leaving = new AbortController();
    const asking = startRead(`${gateway.url}/api/v1/images/generations`, {
      method: 'POST',
      key: testKey,
      body: mediaBody('kontext-pro'),
      signal: leaving.signal,
    });
    await upstream.waitFor(1);
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await gateway.app.running.idle();
    expect(gateway.records).toMatchObject([{ outcome: 'client_gone', units: 0, charge_pico: 0n }]);
  });
});
