import { beforeEach, describe, expect, it } from 'vitest';
import { DispatcherBench, settled } from '../testing/work/dispatcher-bench.ts';

let bench: DispatcherBench;
beforeEach(() => {
  bench = new DispatcherBench();
});

describe('rows', () => {
  it('are claimed on a wake-up, as many as each share has capacity for', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4', 'b1']) bench.keep(id, id.slice(0, 1));
    bench.dispatcher.wake(['a', 'b', 'nobody']);
    await settled();
    expect(bench.begun()).toEqual(['a1', 'a2', 'b1']);
    await bench.end('a1');
    expect(bench.begun()).toEqual(['a2', 'b1', 'a3']);
    await bench.end('a2');
    expect(bench.begun()).toEqual(['b1', 'a3', 'a4']);
    expect(bench.polls).toBe(0);
  });

  it('that arrive during a claim are claimed next', async () => {
    bench.keep('a1', 'a');
    bench.beforeClaiming = () => {
      bench.beforeClaiming = () => {};
      bench.keep('a2', 'a');
      bench.dispatcher.wake(['a']);
    };
    bench.dispatcher.wake(['a']);
    await settled();
    expect(bench.begun()).toEqual(['a1', 'a2']);
  });

  it('need only one timer, and rows due at the same time need one poll', async () => {
    const at = bench.clock.now();
    for (let n = 0; n < 20; n += 1) bench.keep(`e${n}`, `r${n}`, at + (n < 10 ? 5_000 : 9_000));
    for (const { atMs } of bench.kept.toReversed()) bench.dispatcher.dueAt(atMs);
    expect(bench.clock.nextDue()).toBe(at + 5_000);
    await bench.clock.advance(at + 5_000 - bench.clock.now());
    await settled();
    expect([bench.polls, bench.begun().length]).toEqual([1, 10]);
    expect(bench.clock.nextDue()).toBe(at + 9_000);
    await bench.clock.advance(at + 9_000 - bench.clock.now());
    await settled();
    expect([bench.polls, bench.begun().length]).toEqual([2, 20]);
    expect(bench.clock.nextDue()).toBeNull();
  });

  it('are worked on again when due, or at once after a wake-up during the work', async () => {
    bench.keep('a1', 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    for (const one of bench.kept) Object.assign(one, { isHeld: false, atMs: bench.clock.now() + 5_000 });
    await bench.end('a1', { wasSlow: false, nextAtMs: bench.clock.now() + 5_000 });
    expect(bench.begun()).toEqual([]);
    await bench.clock.advance(5_000);
    await settled();
    expect(bench.begun()).toEqual(['a1']);
    for (const one of bench.kept) one.isHeld = false;
    await bench.end('a1', { wasSlow: false, nextAtMs: bench.clock.now() });
    expect(bench.begun()).toEqual(['a1']);
  });

  it('are not claimed any more once the process begins to end', async () => {
    bench.dispatcher.dueAt(bench.clock.now() + 5_000);
    bench.dispatcher.stop();
    bench.keep('a1', 'a');
    bench.dispatcher.wake(['a']);
    bench.dispatcher.poll();
    bench.dispatcher.dueAt(bench.clock.now());
    await settled();
    expect([bench.begun(), bench.clock.nextDue(), bench.timer.nextDue()]).toEqual([[], null, null]);
  });
});
