import { describe, expect, it } from 'vitest';
import { cut, type FakeUpstream, json } from '../testing/fake-upstream.ts';
import { askedUpstreamOfFile } from '../testing/media-client.ts';
import { cutFile, file } from '../testing/native-media.ts';
import type { UpstreamQuestion } from './call.ts';
import type { UpstreamClient } from './client.ts';
import { readAnswer } from './read-answer.ts';

let upstream: FakeUpstream;
let client: UpstreamClient;
askedUpstreamOfFile((ends) => {
  ({ upstream, client } = ends);
});

const gone = new AbortController().signal;
const get = (more: Partial<UpstreamQuestion> = {}) =>
  client.get({ url: `${upstream.url}/file`, headers: { 'x-own': '1' }, accept: '*/*', gone, ...more });
const wholeOf = async (more: Partial<UpstreamQuestion> = {}) => {
  const reply = await get(more);
  return reply.kind === 'reply' ? await readAnswer(reply) : reply;
};

describe('a GET', () => {
  it('is sent without a body, and its answer is read completely', async () => {
    upstream.answers.push(file(Buffer.from('bytes')));
    expect(await wholeOf()).toEqual({ kind: 'whole', text: 'bytes' });
    const [asked] = upstream.asked.slice(-1);
    expect(asked).toMatchObject({ path: '/file', text: '', headers: { 'x-own': '1', accept: '*/*' } });
    expect(asked?.headers).not.toHaveProperty('content-type');
    expect(asked?.headers).not.toHaveProperty('content-length');
  });

  it('follows no redirect', async () => {
    upstream.answers.push(json(302, '', { location: `${upstream.url}/other` }));
    const reply = await get();
    expect(reply.kind === 'reply' && reply.status).toBe(302);
  });

  it('fails when its answer exceeds the size limit', async () => {
    upstream.answers.push(file(Buffer.alloc(101)), file(Buffer.alloc(100)));
    expect(await wholeOf({ maxBytes: 100 })).toMatchObject({ kind: 'failure', reason: 'unusable' });
    expect(await wholeOf({ maxBytes: 100 })).toMatchObject({ kind: 'whole' });
  });

  it('fails when its answer breaks off', async () => {
    upstream.answers.push(cutFile(Buffer.alloc(1000)));
    expect(await wholeOf()).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('ends when the caller disconnects', async () => {
    const leaving = new AbortController();
    upstream.answers.push(() => leaving.abort());
    expect(await get({ gone: leaving.signal })).toEqual({ kind: 'client_left' });
  });
});

it('distinguishes a POST that was never sent from one that may have arrived', async () => {
  const post = (url: string) =>
    client.post({ url, headers: {}, accept: '*/*', body: '{}', gone, isFresh: true });
  expect(await post('http://127.0.0.1:1/')).toMatchObject({ reason: 'connection', isUnsent: true });
  expect(await post('http://nowhere.invalid/')).toMatchObject({ kind: 'failure', isUnsent: true });
  upstream.queue.push(cut);
  const heard = await post(`${upstream.url}/v1`);
  expect(heard).toMatchObject({ reason: 'connection' });
  expect(heard).not.toHaveProperty('isUnsent');
});
