import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import { cut, type FakeUpstream, hang, json, type Reply } from '../../testing/fake-upstream.ts';
import { mediaBody } from '../../testing/media-bodies.ts';
import { cutFile, file, pngOf } from '../../testing/native-media.ts';

let ends: ManyEnds;
let first: FakeUpstream;
let second: FakeUpstream;
/** `alpha-image-2` and `kontext-pro` over `a`, then over `b`; `dream-4-0` over `a` alone. */
beforeEach(async () => {
  const both = { 'alpha-image-2': 'native-alpha', 'kontext-pro': 'native-kontext' };
  ends = await startManyEnds([
    { dialect: 'images', models: { ...both, 'dream-4-0': 'native-dream' } },
    { dialect: 'images', models: both, priority: 1 },
  ]);
  const [one, other] = ends.upstreams;
  if (one === undefined || other === undefined) throw new Error('no upstreams');
  [first, second] = [one, other];
  first.fallback = made(pictureOf(64));
  second.fallback = made(pictureOf(64));
});
afterEach(() => ends.close());

const canary = 'CANARY-8c1f';
const pictureOf = (side: number) => ({ base64: pngOf(side, side).toString('base64') });
const made = (...data: object[]): Reply => json(200, { created: 1, data });
const error = (status: number, fields: object = {}, headers = {}): Reply =>
  json(status, { error: { message: canary, type: 'x', param: null, code: null, ...fields } }, headers);
const lone = (changes: object = {}) => ends.gateway.images(mediaBody('dream-4-0', { ...changes }));
const calls = (): number[] => [first.seen.length, second.seen.length];

describe('another attempt', () => {
  it.for([
    ['a cut', cut],
    ['a limit', error(429)],
    ['an overload', error(503)],
    ['a fault of its own', error(500)],
    ['a page of a proxy', json(502, `<html>${canary}</html>`)],
    ['an empty purse', error(429, { code: 'insufficient_quota' })],
  ] as const)('behind %s goes elsewhere, and is all that the caller sees', async ([, reply]) => {
    first.fallback = reply;
    const answer = await ends.gateway.images(mediaBody('kontext-pro'));
    expect(answer).toMatchObject({ status: 200, json: { data: [{ url: expect.any(String) }] } });
    expect(calls()).toEqual([1, 1]);
    expect(first.seen[0]?.body).toEqual({ ...second.seen[0]?.body });
    expect(ends.gateway.records).toMatchObject([
      { outcome: 'success', attempts: 2, channel_id: 'b', units: 1 },
    ]);
  });

  it('is not made behind an answer that is none: its upstream has had its work (M12, M13)', async () => {
    first.fallback = made();
    const { status, json: body } = await ends.gateway.images(mediaBody('alpha-image-2', { n: 2 }));
    expect([status, body.error.code, body.error.channel]).toEqual([502, 'upstream_error', 'a']);
    expect(calls()).toEqual([1, 0]);
  });

  it('behind a hang goes elsewhere; a second hang is a timeout (T6)', async () => {
    for (const upstream of [first, second]) upstream.fallback = hang;
    const asking = ends.gateway.images(mediaBody('kontext-pro'));
    for (const upstream of [first, second]) {
      await upstream.waitFor(1);
      await ends.gateway.clock.advance(31_000);
    }
    expect(await asking).toMatchObject({
      status: 504,
      json: { error: { code: 'upstream_timeout', channel: 'b' } },
    });
    expect(calls()).toEqual([1, 1]);
    expect(ends.gateway.records).toMatchObject([{ outcome: 'upstream_timeout', units: 0, attempts: 2 }]);
  });

  it('survives a kept connection that has died, and blames nobody (T9)', async () => {
    await lone();
    first.queue.push(cut);
    expect((await lone()).status).toBe(200);
  });
});

describe('a failure is reported in our words', () => {
  it.for([
    ['a cut', cut, 502, 'upstream_error', 2],
    ['408', error(408), 504, 'upstream_timeout', 2],
    ['500', error(500), 502, 'upstream_error', 2],
    ['a page', json(503, `<html>${canary}</html>`), 502, 'upstream_error', 2],
    ['429', error(429), 429, 'channel_queue_full', 2],
    ['503', error(503), 429, 'channel_queue_full', 2],
    ['an empty purse', error(429, { code: 'insufficient_quota' }), 503, 'channel_outage', 1],
    ['401', error(401), 502, 'upstream_error', 1],
    ['402', error(402), 502, 'upstream_error', 1],
    ['403', error(403), 502, 'upstream_error', 1],
    ['404', error(404), 502, 'upstream_error', 1],
    ['a redirect', json(307, '', { location: 'http://127.0.0.1:1/' }), 502, 'upstream_error', 1],
    ['400', error(400), 502, 'upstream_error', 1],
    ['a policy', error(400, { code: 'content_policy_violation' }), 400, 'content_filter', 1],
    ['an empty 200', json(200, ''), 502, 'upstream_error', 1],
    ['no JSON', json(200, '{"data":'), 502, 'upstream_error', 1],
    ['an error in a 200', json(200, { code: 531, msg: canary }), 502, 'upstream_error', 2],
    ['no picture', made({ base64: 'bm8gcGljdHVyZQ==' }), 502, 'upstream_error', 1],
  ] as const)('%s', async ([, reply, status, code, attempts]) => {
    first.fallback = reply;
    const answer = await lone();
    expect([answer.status, answer.json.error.code, first.seen.length]).toEqual([status, code, attempts]);
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(canary);
    expect(JSON.stringify(ends.gateway.logLines)).not.toContain(canary);
    expect(ends.gateway.records).toMatchObject([{ outcome: code, charge_pico: 0n, units: 0, attempts }]);
    expect(ends.gateway.files.kept.size).toBe(0);
  });

  it('names the field that was given, and no other', async () => {
    first.fallback = error(400, { param: 'ratio' });
    expect((await lone({ aspect_ratio: '16:9' })).json.error).toMatchObject({
      code: 'invalid_param',
      param: 'aspect_ratio',
    });
    expect((await lone()).json.error).toMatchObject({ code: 'upstream_error', param: null });
    first.fallback = error(413);
    expect((await lone()).json.error).toMatchObject({ code: 'invalid_param', param: 'prompt' });
    first.fallback = error(400, { code: 'context_length_exceeded' });
    expect((await lone()).json.error).toMatchObject({ code: 'context_too_long', param: 'prompt' });
  });

  it('hands on how long the upstream wants to be left alone, and leaves it alone', async () => {
    first.fallback = error(429, {}, { 'retry-after': '17' });
    expect((await lone()).headers['retry-after']).toBe('17');
    expect(first.seen).toHaveLength(1);
    expect(await lone()).toMatchObject({ status: 429, json: { error: { code: 'channel_queue_full' } } });
    expect(first.seen).toHaveLength(1);
  });

  it('is an outage once the breaker is open, and no upstream is asked', async () => {
    first.fallback = error(401);
    await lone();
    expect(await lone()).toMatchObject({
      status: 503,
      json: { error: { code: 'channel_outage', channel: null } },
    });
    expect(first.seen).toHaveLength(1);
  });
});

describe('pictures', () => {
  it('are fetched from where the upstream keeps them, without its key and nowhere else (M13)', async () => {
    const links = {
      'a page': file(Buffer.from(`<html>${canary}</html>`), 'image/png'),
      'half of one': file(pngOf(64, 64).subarray(0, 40)),
      'one cut off': cutFile(pngOf(64, 64)),
      'one too large': file(pngOf(4097, 8)),
      'a dead link': error(403),
      'a redirect': json(302, '', { location: `${first.url}/good.png` }),
    };
    first.answer = file(pngOf(4096, 4096));
    first.fallback = made({ url: `${first.url}/good.png?signature=1` });
    expect((await lone()).status).toBe(200);
    expect(first.asked[0]?.headers.authorization).toBeUndefined();
    first.answer = (response, request) => {
      const name = decodeURIComponent(request.path.slice(1)) as keyof typeof links;
      return links[name](response, request);
    };
    first.fallback = (response, request) => {
      const url = `${first.url}/${encodeURIComponent(request.body.prompt)}`;
      return made({ url })(response, request);
    };
    const answers = await Promise.all(Object.keys(links).map((prompt) => lone({ prompt })));
    expect(answers.map(({ json: body }) => body.error?.code)).toEqual(answers.map(() => 'upstream_error'));
    expect(answers.map(({ text }) => text).join('')).not.toContain(canary);
    expect(ends.gateway.files.kept.size).toBe(1);
  });
});
