import { beforeEach, describe, expect, it } from 'vitest';
import { DispatcherBench, settled } from '../testing/work/dispatcher-bench.ts';

let bench: DispatcherBench;
beforeEach(() => {
  bench = new DispatcherBench();
});

describe('rows that are kept', () => {
  let written: string[];
  /** Ends the work on a row and makes it due again in a second. */
  const keepOn = async (id: string, share: string) => {
    const write = async () => {
      written.push(id);
      return { wasSlow: null, nextAtMs: null };
    };
    const atMs = bench.clock.now() + 1_000;
    const again = { row: { id, share, holder: 'gw', fence: 1 }, atMs, untilMs: atMs + 500, write };
    await bench.end(id, { wasSlow: null, nextAtMs: null, kept: again });
  };
  beforeEach(async () => {
    written = [];
    for (const id of ['a1', 'a2']) bench.keep(id, 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    await keepOn('a1', 'a');
  });

  it('are worked on when they are due, without a query', async () => {
    bench.beforeClaiming = () => expect.unreachable();
    await bench.clock.advance(1_000);
    await settled();
    expect([bench.begun(), written, bench.polls]).toEqual([['a2', 'a1'], [], 0]);
  });

  it('wait for capacity, and are written when none is free in time', async () => {
    bench.keep('a3', 'a');
    bench.dispatcher.wake(['a']);
    await settled();
    await bench.clock.advance(1_000);
    await settled();
    expect([bench.begun(), written]).toEqual([['a2', 'a3'], []]);
    await keepOn('a2', 'a');
    expect(bench.begun()).toEqual(['a3', 'a1']);
    await bench.clock.advance(1_500);
    await settled();
    expect([bench.begun(), written]).toEqual([['a3', 'a1'], ['a2']]);
  });

  it('leave the capacity for a claim in flight', async () => {
    for (const id of ['a3', 'a4']) bench.keep(id, 'a');
    const jumped = Promise.withResolvers<void>();
    bench.beforeClaiming = () => bench.clock.advance(1_000).then(jumped.resolve);
    await bench.end('a2');
    bench.dispatcher.wake(['a']);
    await jumped.promise;
    await settled();
    expect(bench.begun()).toEqual(['a3', 'a4']);
  });

  it('are written at once when they have been changed elsewhere', async () => {
    bench.dispatcher.dueAt(bench.clock.now(), 'a1');
    await settled();
    expect([bench.begun(), written]).toEqual([['a2'], ['a1']]);
    expect(bench.clock.nextDue()).toBeNull();
  });

  it('are forgotten once the process begins to end', async () => {
    bench.dispatcher.stop();
    await keepOn('a2', 'a');
    expect([bench.clock.nextDue(), written]).toEqual([null, []]);
  });
});
