import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Mutation } from './mutation.ts';
import { exchange, type Origin, startOrigin } from './testing/origin.ts';
import { startUpstreamRelay, type UpstreamRelay } from './upstream-relay.ts';

/** What reached the upstream and the gateway, newest last. */
interface Reached {
  readonly path: string;
  readonly body: string;
  readonly signature: string | undefined;
}

const submits: Reached[] = [];
const reports: Reached[] = [];
let upstream: Origin;
let gateway: Origin;
let relay: UpstreamRelay;

beforeAll(async () => {
  const keeping = (kept: Reached[], answer: string): Promise<Origin> =>
    startOrigin(({ url: path = '', headers }, response, body) => {
      kept.push({ path, body: body.toString(), signature: headers['callback-signature']?.toString() });
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  upstream = await keeping(submits, '{"code":200}');
  gateway = await keeping(reports, '{"received":true}');
  relay = await startUpstreamRelay(upstream.url);
});
beforeEach(() => {
  relay.arm('lane-01', null);
  submits.splice(0);
  reports.splice(0);
});
afterAll(async () => {
  await relay.close();
  await Promise.all([upstream.close(), gateway.close()]);
});

/** Submits a job as a gateway does, and returns the callback URL that reached the upstream. */
async function submit(tenant: string, callbackUrl: string): Promise<string> {
  const body = JSON.stringify({ model: 'native', callback_url: callbackUrl, params: { prompt: 'Größe' } });
  await exchange(`${relay.url}/${tenant}/studio/v1/generate`, { method: 'POST', body });
  const reached = JSON.parse(submits.at(-1)?.body ?? '{}');
  expect(reached).toEqual({ ...JSON.parse(body), callback_url: reached.callback_url });
  return reached.callback_url;
}

const report = (url: string) =>
  exchange(url, { method: 'POST', headers: [['Callback-Signature', 'v1=ab']], body: '{"data":1}' });

it('leaves the URL of reports unchanged when no mutation changes reports', async () => {
  const named = `${gateway.url}/callbacks/studio?x=1`;
  expect(await submit('lane-01', named)).toBe(named);
  relay.arm('lane-01', { request: (request) => request });
  expect(await submit('lane-01', named)).toBe(named);
  expect(submits.map(({ path }) => path)).toEqual(Array(2).fill('/lane-01/studio/v1/generate'));
});

it('routes only the reports of the armed tenant through itself', async () => {
  relay.arm('lane-01', { report: {} });
  const named = `${gateway.url}/callbacks/studio?x=1`;
  const led = await submit('lane-01', named);
  expect(led.startsWith(`${relay.url}/`)).toBe(true);
  expect(await submit('lane-02', named)).toBe(named);
  const { status, body } = await report(led);
  expect([status, body.toString()]).toEqual([200, '{"received":true}']);
  expect(reports).toEqual([{ path: '/callbacks/studio?x=1', body: '{"data":1}', signature: 'v1=ab' }]);
});

it('changes reports and the answers to them', async () => {
  const mutation: Mutation = {
    report: {
      request: (request) => ({ ...request, body: Buffer.from('{"data":2}') }),
      answer: (answer) => ({ ...answer, status: 500 }),
    },
  };
  relay.arm('lane-01', mutation);
  const { status } = await report(await submit('lane-01', `${gateway.url}/callbacks/studio`));
  expect([status, reports.map(({ body }) => body)]).toEqual([500, ['{"data":2}']]);
});

it('passes reports on unchanged once the tenant has no mutation', async () => {
  relay.arm('lane-01', { report: { answer: (answer) => ({ ...answer, status: 500 }) } });
  const led = await submit('lane-01', `${gateway.url}/callbacks/studio`);
  relay.arm('lane-01', null);
  expect((await report(led)).status).toBe(200);
});

it('refuses a report with an unknown target', async () => {
  const { status } = await report(`${relay.url}/~reports/lane-01/nowhere`);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(reports).toEqual([]);
});

it('leaves a submission without a URL unchanged', async () => {
  relay.arm('lane-01', { report: {} });
  const body = '{"model":"native","params":{}}';
  await exchange(`${relay.url}/lane-01/studio/v1/generate`, { method: 'POST', body });
  expect(submits.map((one) => one.body)).toEqual([body]);
});
