import { describe, expect, it } from 'vitest';
import { receiveCallbacks } from '../../testing/callback-receiver.ts';
import { postGenerate } from '../../testing/post-media.ts';
import { isHonest, kinds, poll, ReportHarness, running, song } from '../../testing/report-harness.ts';
import { useSimulators } from '../../testing/simulators.ts';

// How often, when and in which order an upstream sends callbacks. For wrong content, see bad-reports.test.ts.

const simulators = useSimulators({ testClock: true });
const twin = useSimulators({ testClock: true });
const bench = new ReportHarness(simulators);

describe('W1', () => {
  it.each([
    ['twice', 2],
    ['ten-times', 10],
    ['concurrent', 10],
    ['late', 2],
  ])(
    '%s: sends each callback again under its id, with a current time and a valid signature',
    async (form, times) => {
      const met = await bench.meet('W1', form);
      const { reports } = await bench.allReported(met);
      expect(reports).toHaveLength(2 * times);
      for (const kind of ['text', 'complete']) {
        const same = reports.filter((report) => report.kind === kind);
        expect(same.map(({ faulted }) => faulted)).toEqual([null, ...Array(times - 1).fill(form)]);
        expect(new Set(same.map(({ id }) => id)).size).toBe(1);
      }
      expect(met.receiver.arrived.every(isHonest)).toBe(true);
      expect(reports.every(({ status }) => status === 200)).toBe(true);
    },
  );

  it('new-id: sends each callback again under another id', async () => {
    const met = await bench.meet('W1', 'new-id');
    const { reports } = await bench.allReported(met);
    expect(kinds(reports).toSorted()).toEqual(['complete', 'complete, new-id', 'text', 'text, new-id']);
    expect(new Set(reports.map(({ id }) => id)).size).toBe(4);
  });

  it('draws the same ids for the same seed', async () => {
    const ids: string[][] = [];
    for (const seeded of [simulators, twin]) {
      const receiver = await receiveCallbacks(200);
      const fault = { id: 'W1', form: 'new-id' };
      await seeded.control.tenant('twins').script({ replies: [{ fault, job: running }] });
      await postGenerate(seeded.base('twins', 'studio'), { ...song, callback_url: receiver.url });
      for (;;) {
        const [job] = await seeded.control.tenant('twins').jobs();
        if (job?.reports_open === 0) break;
        await seeded.control.advance(100);
      }
      ids.push(receiver.arrived.map(({ headers }) => String(headers['callback-id'])).toSorted());
    }
    expect(ids[1]).toEqual(ids[0]);
  });
});

describe('W2', () => {
  it.each([
    ['complete-before-text', ['complete', 'text, complete-before-text']],
    ['failed-after-complete', ['text', 'complete', 'error, failed-after-complete']],
  ])('%s', async (form, expected) => {
    const met = await bench.meet('W2', form);
    const { reports } = await bench.allReported(met);
    expect(kinds(reports)).toEqual(expected);
    expect(new Set(reports.map(({ id }) => id)).size).toBe(expected.length);
    expect(await poll(met)).toBe('SUCCESS');
  });

  it('complete-before-record: reports the end while polls show a running job, and not again', async () => {
    const met = await bench.meet('W2', 'complete-before-record');
    await met.receiver.until(1);
    expect(await poll(met)).toBe('TEXT_SUCCESS');
    const { reports } = await bench.allReported(met, 1000);
    expect(kinds(reports)).toEqual(['complete, complete-before-record']);
    expect(met.receiver.reports()[0]?.data.results).toMatchObject([{ kind: 'audio', durationSec: 20 }]);
    expect(await poll(met)).toBe('SUCCESS');
  });
});

describe('W3', () => {
  it.each([
    ['complete', ['complete, complete']],
    ['text', ['text, text', 'complete']],
    ['failed', ['error, failed']],
  ])('%s: sends the first callback before the submit is answered', async (form, expected) => {
    const order: string[] = [];
    const receiver = await receiveCallbacks(200);
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ fault: { id: 'W3', form } }] });
    const body = { ...song, callback_url: receiver.url };
    const answered = postGenerate(simulators.base(tenant.name, 'studio'), body).then(() =>
      order.push('answer'),
    );
    await receiver.until(1).then(() => order.push('report'));
    await answered;
    expect(order).toEqual(['report', 'answer']);
    expect(kinds((await bench.allReported({ tenant })).reports)).toEqual(expected);
  });

  it("holds the submit's answer until the callback is answered or times out", async () => {
    const receiver = await receiveCallbacks(null, 200);
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ fault: { id: 'W3' } }] });
    const body = { ...song, callback_url: receiver.url };
    const answered = postGenerate(simulators.base(tenant.name, 'studio'), body);
    await receiver.until(1);
    expect((await tenant.journal()).entries[0]?.reply.ended).toBe('open');
    await simulators.control.advance(15_000);
    expect((await answered).status).toBe(200);
  });
});

it.each([
  ['nothing', []],
  ['no-end', ['text']],
])('W4 %s omits callbacks', async (form, expected) => {
  const met = await bench.meet('W4', form);
  expect(kinds((await bench.allReported(met)).reports)).toEqual(expected);
  expect(await poll(met)).toBe('SUCCESS');
});

describe('W8', () => {
  it.each(['together', 'poll-first', 'disagree'])(
    '%s: reports the end when a poll finds it',
    async (form) => {
      const met = await bench.meet('W8', form);
      await simulators.control.advance(10_000);
      await met.receiver.until(1);
      expect(kinds((await met.tenant.jobs())[0]?.reports ?? [])).toEqual(['text']);
      expect(await poll(met)).toBe('SUCCESS');
      await met.receiver.until(2);
      const last = form === 'disagree' ? 'error' : 'complete';
      expect(kinds((await bench.allReported(met)).reports)).toEqual(['text', `${last}, ${form}`]);
    },
  );

  it('report-first: answers the poll after the callback has been answered', async () => {
    const met = await bench.meet('W8', 'report-first');
    await simulators.control.advance(10_000);
    const order: string[] = [];
    const polled = poll(met).then((status) => order.push(String(status)));
    await met.receiver.until(2).then(() => order.push('report'));
    await polled;
    expect(order).toEqual(['report', 'SUCCESS']);
    expect((await bench.allReported(met)).reports.at(-1)).toMatchObject({
      faulted: 'report-first',
      status: 200,
    });
  });
});

it.each(['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8'])(
  '%s needs a submit with a callback_url',
  async (id) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ fault: { id } }] });
    const { status, text } = await postGenerate(simulators.base(tenant.name, 'studio'), song);
    expect([status, text]).toEqual([
      501,
      expect.stringContaining(`${id} needs a submit with a callback_url`),
    ]);
  },
);
