import { expect, it } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { Presence } from './presence.ts';

type Answer = Partial<Exchange> & { readonly status?: number; readonly body?: string };

const answer = ({ status, body = '', error = null }: Answer): Exchange => ({
  label: 'any',
  request: { method: 'GET', url: 'http://gateway.test/', headers: [], body: Buffer.alloc(0) },
  response:
    status === undefined
      ? null
      : {
          ...{ status, headers: [], body: Buffer.from(body), firstByteMs: 1, endMs: 1 },
          complete: error === null,
        },
  error,
  sentAt: 0,
  endedAt: 1,
});

const here = answer({ status: 200, body: '{"data":[]}' });
const refused = answer({ error: 'ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1' });
const page = answer({ status: 503, body: '<html>503 Service Unavailable</html>' });

/** A deployment that gives these answers in order and repeats the last one; its clock moves with each wait. */
function deployment(...answers: readonly Exchange[]) {
  const left = [...answers];
  let [nowMs, asked] = [0, 0];
  const ended: string[] = [];
  const presence = new Presence({
    ask: async () => {
      asked += 1;
      return (left.length > 1 ? left.shift() : left[0]) ?? here;
    },
    end: (sentence) => ended.push(sentence),
    now: () => nowMs,
    wait: async (ms) => {
      nowMs += ms;
    },
  });
  return { presence, ended, asked: () => asked };
}

it.each([
  ['nobody listens', refused],
  ['its name is unknown', answer({ error: 'ENOTFOUND: getaddrinfo ENOTFOUND gateway.test' })],
  ['a proxy does not reach it', answer({ error: 'UND_ERR_ABORTED: Proxy response (502) !== 200' })],
  ['a page of what stands in front', page],
  ['nothing but the status of what stands in front', answer({ status: 502 })],
])('%s: looked after; where it is there, only the call has failed', async (_, lost) => {
  const { presence, ended, asked } = deployment(here);
  presence.note(lost);
  await presence.here();
  expect([presence.losses, asked(), presence.absences, presence.notice, ended]).toEqual([1, 1, 0, null, []]);
});

it.each([
  ['a good answer', here],
  ['a failure of its own', answer({ status: 503, body: '{"error":{"code":"channel_outage"}}' })],
  ['another page', answer({ status: 500, body: '<html>' })],
  ['a call that the check left', answer({ error: 'AbortError: This operation was aborted' })],
])('%s is no sign that it is away', async (_, exchange) => {
  const { presence, asked } = deployment(here);
  presence.note(exchange);
  await presence.here();
  expect([presence.losses, asked()]).toEqual([0, 0]);
});

it.each([
  ['before the answer', answer({ error: 'ECONNRESET: read ECONNRESET' })],
  ['within the answer', answer({ status: 200, body: 'data:', error: 'UND_ERR_SOCKET: other side closed' })],
])('a connection that breaks %s counts, and may be what the check is about', async (_, exchange) => {
  const { presence, asked } = deployment(here);
  presence.note(exchange);
  await presence.here();
  expect([presence.losses, asked()]).toEqual([1, 0]);
});

it('waits for a deployment that comes back, and makes interrupted work start again', async () => {
  const { presence, ended } = deployment(refused, refused, page, here);
  const { signal } = presence;
  // The check whose call ended the deployment is over before anybody looks.
  await presence.during('chat.zero', async () => presence.note(answer({ error: 'ECONNRESET: read' })));
  await presence.during('chat.one', async () => {
    await presence.during('chat.two', () => presence.look());
  });
  expect([signal.aborted, presence.signal.aborted, presence.absences, ended]).toEqual([true, false, 1, []]);
  expect(presence.notice).toBe(
    'the deployment was away 1 time, and came back; what ran then began again: chat.two, chat.one, chat.zero',
  );
});

it('stops waiting for a deployment that repeatedly goes away', async () => {
  const { presence, ended } = deployment(
    ...Array.from({ length: 40 }, () => [refused, here]).flat(),
    refused,
  );
  for (let look = 0; look < 40; look += 1) await presence.look();
  expect(presence.absences).toBe(31);
  expect(ended).toEqual([expect.stringMatching(/^the deployment answers no more: .*, for the 31th time; /)]);
});

it('stops waiting once the run is over', async () => {
  const { presence, ended } = deployment(refused);
  const looking = presence.look();
  presence.close();
  await looking;
  expect(ended).toEqual([]);
});
