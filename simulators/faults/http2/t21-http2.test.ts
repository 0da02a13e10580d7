import { connect } from 'node:http2';
import { request as requestTls } from 'node:https';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { FaultEntry } from '../../control/journal.ts';
import type { Reply } from '../../control/protocol.ts';
import { type Simulators, startSimulators } from '../../in-process/start-simulators.ts';
import { chatBody } from '../../testing/post-chat.ts';

let simulators: Simulators;

beforeAll(async () => {
  simulators = await startSimulators({ http2Port: 0 });
});
afterAll(() => simulators.close());

const deltas = ['One ', 'two ', 'three ', 'four.'];
const headers = { authorization: 'Bearer sk-upstream', 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The code of the stream's reset. */
  readonly rstCode: number;
  readonly error: string | null;
}

/** An HTTP/2 connection: its GOAWAY frames, and calls over it. */
async function openClient() {
  const { url = '', certificate = '' } = simulators.http2 ?? {};
  const session = connect(url, { ca: certificate }).on('error', () => {});
  onTestFinished(() => session.destroy());
  const goaways: [code: number, last: number][] = [];
  session.on('goaway', (code, last) => goaways.push([code, last ?? 0]));
  const call = (path: string, body: string): Promise<Answer> =>
    new Promise((resolve) => {
      const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
      let [status, text, error] = [0, '', null as string | null];
      stream.on('response', (head) => {
        status = head[':status'] ?? 0;
      });
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      stream.on('error', (thrown: NodeJS.ErrnoException) => {
        error = thrown.code ?? thrown.message;
      });
      stream.on('close', () => resolve({ status, text, rstCode: stream.rstCode ?? 0, error }));
      stream.end(body);
    });
  return { session, goaways, call };
}

async function meet(reply: Reply, isStream = true) {
  const upstream = simulators.tenant();
  upstream.on({ model: 'met' }, reply);
  upstream.on({ model: 'other' }, 'Another answer.');
  const client = await openClient();
  const path = `/${upstream.name}/default/v1/chat/completions`;
  const call = (model: string, stream: boolean): Promise<Answer> =>
    client.call(path, chatBody({ model, stream }));
  const before = await call('other', false);
  const [met, other] = await Promise.all([call('met', isStream), call('other', false)]);
  const { entries } = await upstream.control.journal({ ended: 3 });
  const fault = entries.map(({ reply: sent }) => sent.fault).find((one) => one !== undefined);
  return { before, met, other, fault, goaways: client.goaways, call };
}

it('answers over HTTP/2, several calls over one connection, and over HTTP/1 on the same port', async () => {
  const { met, other } = await meet({ deltas });
  expect([met.status, other.status]).toEqual([200, 200]);
  expect(met.text.match(/"content":"[^"]+"/g)).toHaveLength(4);
  expect(met.text).toMatch(/\[DONE\]\n\n$/);
  expect(await callHttp1('default')).toBe(200);
});

it('resets an HTTP/1 connection below its TLS', async () => {
  const upstream = simulators.tenant();
  upstream.on({}, { fault: { id: 'T7' } });
  expect(await callHttp1(upstream.name)).toBe('ECONNRESET');
});

/** The status or the error code of an HTTP/1 call to the HTTP/2 port. */
function callHttp1(tenant: string): Promise<number | string | undefined> {
  const { url = '', certificate = '' } = simulators.http2 ?? {};
  const options = { ca: certificate, method: 'POST', headers, agent: false };
  return new Promise((resolve) => {
    requestTls(new URL(`/${tenant}/alpha/v1/chat/completions`, url), options, (response) =>
      resolve(response.resume().statusCode),
    )
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .end(chatBody({}));
  });
}

it.each<[string, Reply, Partial<Answer>, pieces: number]>([
  ['T22', { fault: { id: 'T22' } }, { status: 200, error: 'ERR_HTTP2_STREAM_ERROR', rstCode: 2 }, 2],
  ['T22 cancel', { fault: { id: 'T22', form: 'cancel', after: 3 } }, { status: 200, rstCode: 8 }, 3],
  ['T23', { fault: { id: 'T23' } }, { status: 0, error: 'ERR_HTTP2_STREAM_ERROR', rstCode: 7 }, 0],
  ['a scripted cut', { cut: { after: 1, by: 'reset-stream' } }, { status: 200, rstCode: 2 }, 1],
])('ends one stream by %s and leaves the others of its connection', async (_, reply, seen, pieces) => {
  const { met, other, goaways } = await meet({ deltas, ...reply });
  expect(met).toMatchObject(seen);
  expect(met.text.match(/"content":"[^"]+"/g) ?? []).toHaveLength(pieces);
  expect([other.status, other.error]).toEqual([200, null]);
  expect(goaways).toEqual([]);
});

it('sends GOAWAY in the middle of an answer and cuts it', async () => {
  const { met, goaways } = await meet({ deltas, fault: { id: 'T21' } });
  expect(met.status).toBe(200);
  expect(met.text.match(/"content":"[^"]+"/g)).toHaveLength(2);
  expect(met.text).not.toContain('[DONE]');
  expect(goaways.map(([code]) => code)).toEqual([2]);
});

it('sends GOAWAY, completes open answers and takes no further request', async () => {
  const { met, other, goaways, call } = await meet({ deltas, fault: { id: 'T21', form: 'drain' } });
  expect(met.text).toMatch(/\[DONE\]\n\n$/);
  expect([other.status, other.error]).toEqual([200, null]);
  expect(goaways[0]?.[0]).toBe(0);
  expect(await call('other', false)).toMatchObject({ status: 0, error: 'ERR_HTTP2_GOAWAY_SESSION' });
});

it('names a request as not processed, so that the client may retry it', async () => {
  const { met, goaways } = await meet({ fault: { id: 'T23', form: 'goaway' } });
  expect(met.status).toBe(0);
  expect(goaways[0]).toEqual([0, 1]);
});

it.each<[string, Reply, RegExp]>([
  ['T16', { fault: { id: 'T16' } }, /bytes of HTTP\/1/],
  ['a half-close', { cut: { after: 1, by: 'half-close' } }, /no half-close|neither a half-close/],
])('refuses over HTTP/2 what only HTTP/1 has: %s', async (_, reply, why) => {
  const { met, fault } = await meet({ deltas, ...reply });
  expect([met.status, met.text]).toEqual([501, expect.stringMatching(why)]);
  if (reply.fault !== undefined) expect(fault).toMatchObject<Partial<FaultEntry>>({ applied: false });
});

it.each<[string, Reply]>([
  ['T21', { fault: { id: 'T21' } }],
  ['a cut', { cut: { after: 1, by: 'goaway' } }],
])('refuses over HTTP/1 what only HTTP/2 has: %s', async (_, reply) => {
  const upstream = simulators.tenant();
  upstream.on({}, reply);
  const answer = await fetch(`${upstream.v1}/chat/completions`, {
    method: 'POST',
    headers,
    body: chatBody({}),
  });
  expect([answer.status, await answer.text()]).toEqual([501, expect.stringMatching(/over HTTP\/2/)]);
});
