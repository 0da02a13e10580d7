import { expect } from 'vitest';
import { verifySignature } from '../../suites/oracle/webhooks/signature.ts';
import type { ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { headerOf } from '../../suites/rewrite/proxy-headers.ts';
import { eventSecret, type Probe } from './variant-probe.ts';

type Effect = (probe: Probe) => Promise<void>;
type Json = Record<string, unknown>;

const sent = {
  type: 'task.success',
  timestamp: '2026-11-22T10:00:00Z',
  data: { task_id: 'task_1', status: 'SUCCESS', result_urls: ['https://x.example/a.png'] },
};

/** The one event that a receiver gets; its signature must be correct. */
async function event(probe: Probe): Promise<ProxyRequest> {
  const [first, ...others] = await probe.delivers(sent);
  if (first === undefined) throw new Error('no event came');
  for (const one of [first, ...others])
    expect(verifySignature(one, [eventSecret])).toMatchObject({ ok: true, id: 'evt_1' });
  return first;
}

const payload = async (probe: Probe): Promise<Json> =>
  JSON.parse((await event(probe)).body.toString()) as Json;

const header = async (probe: Probe, name: string): Promise<string> =>
  headerOf((await event(probe)).headers, name);

/** The effects of the variants of events on a receiver. */
export const eventEffects: Readonly<Record<string, Effect>> = {
  'event.other-result-names': async (probe) => {
    const text = JSON.stringify(await payload(probe));
    expect(text).toContain(`"outputs":[{"url":"${sent.data.result_urls[0]}"}]`);
    expect(text).not.toContain('result_urls');
  },
  'event.flat-payload': async (probe) => {
    const { task_id, status } = sent.data;
    expect(await payload(probe)).toMatchObject({ task_id, status, event: sent.type });
  },
  'event.enveloped-payload': async (probe) => {
    expect(await payload(probe)).toMatchObject({
      event_type: sent.type,
      payload: { task: { task_id: sent.data.task_id, progress: 100 } },
    });
  },
  'event.pretty-payload': async (probe) => {
    expect((await event(probe)).body.toString()).toMatch(/^\{\n {2}"/);
  },
  'event.equivalent-target': async (probe) => {
    expect((await event(probe)).path).toBe('/a~%2F');
  },
  'event.delivered-twice': async (probe) => {
    const [first, second] = await probe.delivers(sent);
    expect(second).toEqual(first);
    expect(await probe.delivers(sent, [503])).toHaveLength(1);
  },
  'event.more-signatures': async (probe) => {
    expect((await header(probe, 'webhook-signature')).split(' ')).toHaveLength(4);
  },
  'event.milliseconds': async (probe) => {
    expect(await header(probe, 'x-service-timestamp')).toBe('1700000000000');
  },
  'event.iso-time': async (probe) => {
    expect(await header(probe, 'x-service-timestamp')).toBe('2023-11-14T22:13:20.000Z');
  },
  'event.more-headers': async (probe) => {
    const { headers } = await event(probe);
    expect(headers).toContainEqual(['X-Region', 'a1']);
    expect(headers).toContainEqual(['Content-Type', 'application/json; charset=utf-8']);
  },
};
