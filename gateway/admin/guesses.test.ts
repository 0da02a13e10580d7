import { expect, it } from 'vitest';
import { Guesses, TooManyTries } from './guesses.ts';

/** A clock that stands still until a test moves it. */
class StillClock {
  #nowMs = 1_000_000;
  readonly #sleepers: { readonly dueMs: number; readonly wake: () => void }[] = [];
  monotonic = (): number => this.#nowMs;
  sleep = (ms: number): Promise<void> =>
    ms <= 0
      ? Promise.resolve()
      : new Promise((wake) => this.#sleepers.push({ dueMs: this.#nowMs + ms, wake }));
  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    for (const { dueMs, wake } of this.#sleepers) if (dueMs <= this.#nowMs) wake();
    // Lets the woken code run to its next wait.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function start(maxAddresses = 10) {
  const clock = new StillClock();
  const told: [string, number][] = [];
  const guesses = new Guesses({
    clock,
    limits: { free: 3, every_ms: 1_000 },
    onGuesses: (address, count) => told.push([address, count]),
    maxAddresses,
  });
  const looked: string[] = [];
  const look = (address: string, what: string): Promise<string | null> =>
    guesses.judge(address, () => {
      looked.push(what);
      return what === 'right' ? what : null;
    });
  const spend = async (address: string): Promise<void> => {
    for (let n = 0; n < 3; n += 1) await look(address, 'wrong');
    looked.length = 0;
  };
  return { clock, told, looked, look, spend };
}

it('checks tokens of an address one at a time once its free tries are used up, even the right token', async () => {
  const { clock, looked, look, spend } = start();
  await spend('192.0.2.1');
  const answers = [look('192.0.2.1', 'second'), look('192.0.2.1', 'right'), look('192.0.2.1', 'third')];
  await clock.pass(999);
  expect(looked).toEqual([]);
  await clock.pass(1);
  expect(looked).toEqual(['second']);
  await clock.pass(1_000);
  // The right token costs nothing, so the next try is checked at once.
  expect(looked).toEqual(['second', 'right', 'third']);
  expect(await Promise.all(answers)).toEqual([null, 'right', null]);
});

it('accepts the right token from any other address at once', async () => {
  const { look, spend } = start();
  await spend('192.0.2.1');
  expect(await look('192.0.2.2', 'right')).toBe('right');
});

it('restores free tries over time and forgets old guesses', async () => {
  const { clock, look, spend, told } = start();
  await spend('192.0.2.1');
  await clock.pass(2_000);
  expect([await look('192.0.2.1', 'wrong'), await look('192.0.2.1', 'wrong')]).toEqual([null, null]);
  await clock.pass(10_000);
  expect(await look('192.0.2.1', 'wrong')).toBeNull();
  expect(told).toEqual([
    ['192.0.2.1', 1],
    ['192.0.2.1', 2],
    ['192.0.2.1', 4],
    ['192.0.2.1', 1],
  ]);
});

it('lets a limited number of tries wait and rejects the others unchecked', async () => {
  const { clock, looked, look, spend } = start();
  await spend('192.0.2.1');
  const waiting = Array.from({ length: 8 }, () => look('192.0.2.1', 'wrong'));
  await expect(look('192.0.2.1', 'right')).rejects.toEqual(new TooManyTries(1_000));
  expect(looked).toEqual([]);
  for (let n = 0; n < 8; n += 1) await clock.pass(1_000);
  expect(await Promise.all(waiting)).toEqual(Array(8).fill(null));
});

it('treats an IPv6 network as one address', async () => {
  const { clock, looked, look, spend } = start();
  await spend('2001:db8:1:2::1');
  const same = [look('2001:db8:1:2:ffff::9', 'right'), look('2001:db8:1:2:3:4:5:6', 'right')];
  await look('2001:db8:1:3::1', 'other');
  await look('2001:db8::2:0:0:1', 'another');
  expect(looked).toEqual(['other', 'another']);
  await clock.pass(1_000);
  expect(await Promise.all(same)).toEqual(['right', 'right']);
});

it('remembers a bounded number of addresses', async () => {
  const { looked, look, spend } = start(2);
  await spend('192.0.2.1');
  for (const address of ['192.0.2.2', '192.0.2.3']) await look(address, 'wrong');
  looked.length = 0;
  await look('192.0.2.1', 'at once');
  expect(looked).toEqual(['at once']);
});
