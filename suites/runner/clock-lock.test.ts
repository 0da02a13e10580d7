import { describe, expect, it } from 'vitest';
import { ClockLock } from './clock-lock.ts';

/** Work whose start can be observed, and whose end the test triggers. */
function work(): { run: () => Promise<void>; started: () => boolean; end: () => void } {
  const gate = Promise.withResolvers<void>();
  let started = false;
  return {
    run: () => {
      started = true;
      return gate.promise;
    },
    started: () => started,
    end: gate.resolve,
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the clock lock', () => {
  it('runs checks that only read the clock side by side', async () => {
    const lock = new ClockLock();
    const [a, b] = [work(), work()];
    const both = [lock.hold('read', a.run), lock.hold('read', b.run)];
    await settle();
    expect([a.started(), b.started()]).toEqual([true, true]);
    a.end();
    b.end();
    await Promise.all(both);
  });

  it('gives work that needs the clock alone exclusive use, and queues later readers behind it', async () => {
    const lock = new ClockLock();
    const [reader, jump, late] = [work(), work(), work()];
    const all = [lock.hold('read', reader.run), lock.hold('alone', jump.run), lock.hold('read', late.run)];
    await settle();
    expect([reader.started(), jump.started(), late.started()]).toEqual([true, false, false]);
    reader.end();
    await settle();
    expect([jump.started(), late.started()]).toEqual([true, false]);
    jump.end();
    await settle();
    expect(late.started()).toBe(true);
    late.end();
    await Promise.all(all);
  });

  it('lets work of one lockstep move the clock together, and nothing else meanwhile', async () => {
    const lock = new ClockLock();
    const [ours, theirs] = [{ together: {} }, { together: {} }];
    const [a, b, other, reader] = [work(), work(), work(), work()];
    const all = [
      lock.hold(ours, a.run),
      lock.hold(ours, b.run),
      lock.hold(theirs, other.run),
      lock.hold('read', reader.run),
    ];
    const started = (): boolean[] => [a, b, other, reader].map((one) => one.started());
    await settle();
    expect(started()).toEqual([true, true, false, false]);
    a.end();
    await settle();
    expect(started()).toEqual([true, true, false, false]);
    b.end();
    await settle();
    expect(started()).toEqual([true, true, true, false]);
    other.end();
    await settle();
    expect(started()).toEqual([true, true, true, true]);
    reader.end();
    await Promise.all(all);
  });

  it('is released when work throws', async () => {
    const lock = new ClockLock();
    await expect(lock.hold('alone', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(lock.hold('alone', () => Promise.resolve('again'))).resolves.toBe('again');
  });
});
