import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FaultContext, ReportObservation } from '../../fault-contract/fault.ts';
import { webhookFaultFacts } from '../../fault-contract/known-faults.ts';
import { receiveCallbacks, signatureOf } from '../../testing/callback-receiver.ts';
import { postGenerate } from '../../testing/post-media.ts';
import { isHonest, kinds, overAtOnce, poll, ReportHarness, song } from '../../testing/report-harness.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { mutated } from './w7-mutated.ts';

const simulators = useSimulators({ testClock: true });
const bench = new ReportHarness(simulators);

describe('W5', () => {
  it.each(webhookFaultFacts.get('W5')?.forms ?? [])('%s verifies nowhere and comes once', async (form) => {
    const met = await bench.meet('W5', form);
    const { reports } = await bench.allReported(met);
    expect(reports.map(({ faulted, tries }) => [faulted, tries])).toEqual([
      [form, 1],
      [form, 1],
    ]);
    expect(met.receiver.arrived.map(isHonest)).toEqual([false, false]);
    expect(await poll(met)).toBe('SUCCESS');
  });

  it('wrong-secret reports a failure with the signature of another key', async () => {
    const met = await bench.meet('W5', 'wrong-secret');
    const { reports } = await bench.allReported(met);
    const [one] = met.receiver.arrived;
    if (one === undefined) return expect.fail();
    expect(one.headers['callback-signature']).toBe(signatureOf(one, 'sk-somebody-else'));
    expect(reports.map(({ kind }) => kind)).toEqual(['error', 'error']);
    expect(met.receiver.reports()[0]).toMatchObject({ code: 501, data: { taskId: met.taskId, results: [] } });
  });

  it.each([
    ['unsigned', 'callback-signature'],
    ['no-id', 'callback-id'],
    ['no-time', 'callback-timestamp'],
  ])('%s lacks its header', async (form, header) => {
    const met = await bench.meet('W5', form);
    await bench.allReported(met);
    const [one] = met.receiver.arrived;
    expect(Object.keys(one?.headers ?? {}).filter((name) => name.startsWith('callback-'))).toHaveLength(2);
    expect(one?.headers[header]).toBeUndefined();
  });
});

describe('W6', () => {
  it.each([
    ['old', 360],
    ['ahead', -600],
    ['barely-old', 302],
    ['barely-ahead', -305],
  ])('%s has a valid signature for another time', async (form, age) => {
    const met = await bench.meet('W6', form);
    await met.receiver.until(1);
    const [one] = met.receiver.arrived;
    if (one === undefined) return expect.fail();
    const measured = await bench.ageOf(one);
    expect([measured >= age, measured < age + 5]).toEqual([true, true]);
    const { reports } = await bench.allReported(met);
    expect(met.receiver.arrived.every(isHonest)).toBe(true);
    expect(kinds(reports)).toEqual([`text, ${form}`, `complete, ${form}`]);
  });

  it.each([
    ['milliseconds', /^\d{13}$/],
    ['no-number', /^20\d\d-.*Z$/],
  ])('%s has a valid signature and a timestamp in another format', async (form, pattern) => {
    const met = await bench.meet('W6', form);
    await bench.allReported(met);
    expect(met.receiver.arrived[0]?.headers['callback-timestamp']).toMatch(pattern);
    expect(met.receiver.arrived.every(isHonest)).toBe(true);
  });

  it('replayed sends the same bytes again when they are 302 s old', async () => {
    const met = await bench.meet('W6', 'replayed', overAtOnce);
    await met.receiver.until(1);
    expect((await met.tenant.jobs())[0]).toMatchObject({ reports_open: 1, reports: [{ faulted: null }] });
    await simulators.control.advance(302_500);
    await met.receiver.until(2);
    const [first, second] = met.receiver.arrived;
    expect(second?.headers).toEqual(first?.headers);
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
    expect(second === undefined ? 0 : await bench.ageOf(second)).toBeGreaterThanOrEqual(302);
    expect(kinds((await bench.allReported(met)).reports)).toEqual(['complete', 'complete, replayed']);
  });
});

describe('W7', () => {
  const whole = (webhookFaultFacts.get('W7')?.forms ?? []).filter((form) => form !== 'cut-body');

  it.each(whole)('%s has a valid signature and a current time', async (form) => {
    const met = await bench.meet('W7', form, overAtOnce);
    const { reports } = await bench.allReported(met);
    const [one] = met.receiver.arrived;
    if (one === undefined) return expect.fail();
    expect(isHonest(one)).toBe(true);
    expect(await bench.ageOf(one)).toBeLessThan(5);
    expect(reports).toMatchObject([{ faulted: form, tries: 1, status: 200 }]);
    expect(await poll(met)).toBe('SUCCESS');
  });

  it('other-job reports that another job of the channel failed', async () => {
    const tenant = simulators.tenant();
    const receiver = await receiveCallbacks(200);
    const base = simulators.base(tenant.name, 'studio');
    await tenant.script({
      replies: [{ job: { hold: 'running' } }, { fault: { id: 'W7', form: 'other-job' } }],
    });
    await postGenerate(base, song);
    await postGenerate(base, { ...song, callback_url: receiver.url });
    await receiver.until(1);
    const [held] = await tenant.jobs();
    expect(receiver.reports()[0]?.data).toMatchObject({ callbackType: 'error', taskId: held?.id });
    await bench.allReported({ tenant });
  });

  it.each([
    ['huge', true],
    ['huge-chunked', false],
  ])('%s is JSON of 5 MB; length announced: %s', async (form, isAnnounced) => {
    const met = await bench.meet('W7', form, overAtOnce);
    await bench.allReported(met);
    const [one] = met.receiver.arrived;
    expect(one?.raw.length).toBeGreaterThan(5_000_000);
    expect(one?.headers['content-length']).toBe(isAnnounced ? String(one?.raw.length) : undefined);
    expect(met.receiver.reports()[0]).toMatchObject({ code: 200, data: { callbackType: 'complete' } });
  });

  it('huge repeats one small piece', () => {
    const given = {
      id: 'cb_1',
      kind: 'complete',
      body: [Buffer.from('{"a":1}')],
      contentType: 'application/json',
    };
    if (mutated.kind !== 'job') return expect.fail();
    const observation = { form: 'huge' } as ReportObservation;
    const [huge] = mutated.plan({ form: 'huge' } as FaultContext).report?.(given, observation) ?? [];
    const pieces = new Set(huge?.body);
    expect(huge?.body.length).toBeGreaterThan(80);
    expect([...pieces].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(70_000);
  });

  it('gzip is small and unpacks to 4 MB of JSON', async () => {
    const met = await bench.meet('W7', 'gzip', overAtOnce);
    await bench.allReported(met);
    const [one] = met.receiver.arrived;
    const { headers, raw = Buffer.alloc(0) } = one ?? {};
    expect([headers?.['content-encoding'], raw.length < 20_000]).toEqual(['gzip', true]);
    expect(gunzipSync(raw).length).toBeGreaterThan(4_000_000);
  });

  it('cut-body breaks off in its middle and gets no answer', async () => {
    const met = await bench.meet('W7', 'cut-body', overAtOnce);
    const { reports } = await bench.allReported(met);
    expect(reports).toMatchObject([{ faulted: 'cut-body', tries: 1, status: null, answer: '' }]);
    expect(met.receiver.arrived).toEqual([]);
  });
});
