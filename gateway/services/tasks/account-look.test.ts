import { expect, it } from 'vitest';
import type { Channel } from '../../routing/channel.ts';
import { type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { askedUpstreamOfFile } from '../../testing/media-client.ts';
import type { UpstreamClient } from '../../upstreams/client.ts';
import { accountLook } from './account-look.ts';

let upstream: FakeUpstream;
let client: UpstreamClient;
askedUpstreamOfFile((ends) => {
  ({ upstream, client } = ends);
});

const noJob = json(404, { error: { message: 'no such job', code: 'not_found' } });
const noKey = { message: 'a bad key', code: 'invalid_api_key' };

it.each([
  ['jobs', 'an unknown job', noJob, 'known'],
  ['jobs', 'an unknown key', json(401, { error: noKey }), 'refused'],
  ['jobs', 'a failure', json(500, { error: { message: 'down' } }), 'unclear'],
  ['callback-jobs', 'an unknown job', json(200, { code: 404, msg: 'record not found' }), 'known'],
  ['callback-jobs', 'an unknown key', json(200, { code: 401, msg: 'no key' }), 'refused'],
  ['images', 'a list of models', json(200, { data: [] }), 'known'],
  ['images', 'no such path', json(404, { error: { message: 'none' } }), 'unclear'],
  ['images', 'an unknown key, which may be good for images alone', json(401, { error: noKey }), 'unclear'],
] as const)('of %s: %s', async (dialect, _what, answer, result) => {
  upstream.answers.push(answer);
  const look = accountLook({ upstreams: client, newId: (prefix) => `${prefix}1` });
  const channel = { dialect, baseUrl: `${upstream.url}/v1`, apiKey: 'key' } as Channel;
  expect(await look(channel)).toBe(result);
  expect(upstream.asked.at(-1)?.headers.authorization).toBe('Bearer key');
});
