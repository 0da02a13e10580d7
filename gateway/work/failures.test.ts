import { beforeEach, describe, expect, it } from 'vitest';
import { DispatcherBench, settled } from '../testing/work/dispatcher-bench.ts';

let bench: DispatcherBench;
beforeEach(() => {
  bench = new DispatcherBench();
});

describe('rows whose claim or work failed', () => {
  it('are polled for automatically after a database outage', async () => {
    bench.keep('a1', 'a');
    bench.isBroken = true;
    bench.dispatcher.wake(['a']);
    await settled();
    bench.dispatcher.wake(['a']);
    await settled();
    bench.isBroken = false;
    await bench.timer.advance(1_000);
    await settled();
    expect(bench.begun()).toEqual(['a1']);
  });

  it('are claimed again, and no others, when the answer to their claim was lost', async () => {
    bench.keep('a1', 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    bench.keep('a2', 'a');
    bench.isAnswerLost = true;
    bench.dispatcher.wake(['a']);
    await settled();
    expect(bench.kept.map(({ isHeld }) => isHeld)).toEqual([true, true]);
    expect(bench.begun()).toEqual(['a1']);
    bench.isAnswerLost = false;
    await bench.timer.advance(1_000);
    await settled();
    expect(bench.begun()).toEqual(['a1', 'a2']);
  });

  it('are never worked on twice at a time, even if released without this process knowing', async () => {
    bench.keep('a1', 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    for (const one of bench.kept) one.isHeld = false;
    bench.dispatcher.wake(['a']);
    await settled();
    expect(bench.begun()).toEqual(['a1']);
    const first = bench.ends.get('a1');
    for (const one of bench.kept) expect(one.isHeld).toBe(true);
    first?.resolve({ wasSlow: false, nextAtMs: null });
    await settled();
    expect(bench.ends.get('a1')).not.toBe(first);
  });

  it('are not released after a failure once they are claimed again', async () => {
    bench.keep('a1', 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    // The work has released its row without knowing it.
    for (const one of bench.kept) one.isHeld = false;
    await bench.fail('a1');
    bench.dispatcher.wake(['a']);
    await settled();
    await bench.timer.advance(250);
    await settled();
    expect(bench.begun()).toEqual(['a1']);
    for (const one of bench.kept) expect(one.isHeld).toBe(true);
  });

  it('are retried after growing waits in real time, however the clock moves', async () => {
    for (const id of ['a1', 'a2', 'a3']) bench.keep(id, 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    expect(bench.begun()).toEqual(['a1', 'a2']);
    await bench.fail('a1');
    // Its capacity is free meanwhile.
    expect(bench.begun()).toEqual(['a2', 'a3']);
    for (const id of ['a2', 'a3']) await bench.end(id);
    // Their results are written, so they have no owner any more.
    bench.kept = bench.kept.filter(({ row }) => row.id === 'a1');
    for (const wait of [250, 500, 1_000]) {
      await bench.clock.advance(60_000);
      await settled();
      expect(bench.begun()).toEqual([]);
      await bench.timer.advance(wait);
      await settled();
      expect(bench.begun()).toEqual(['a1']);
      await bench.fail('a1');
    }
    bench.isBroken = true;
    await bench.timer.advance(2_000);
    bench.isBroken = false;
    await bench.timer.advance(1_000);
    await settled();
    expect(bench.begun()).toEqual(['a1']);
  });

  it('are released after the work if a claim with a lost answer may have included them', async () => {
    bench.keep('a1', 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    // The work has released its row without knowing it yet.
    for (const one of bench.kept) one.isHeld = false;
    bench.isAnswerLost = true;
    bench.dispatcher.wake(['a']);
    await settled();
    bench.isAnswerLost = false;
    await bench.timer.advance(1_000);
    await settled();
    expect(bench.begun()).toEqual(['a1']);
    await bench.end('a1', { wasSlow: false, nextAtMs: bench.clock.now() });
    expect(bench.begun()).toEqual(['a1']);
  });

  it("are read again when this process's copy was out of date", async () => {
    bench.keep('a1', 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    await bench.end('a1', { wasSlow: null, nextAtMs: null, isOutOfDate: true });
    expect(bench.begun()).toEqual(['a1']);
  });
});
