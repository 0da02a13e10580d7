import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { BodyBudget, type BodyShare } from './body-budget.ts';

const kib = 1024;
const mib = 1024 * kib;
const stays = new AbortController().signal;

it('admits bodies that fit, and waiting ones in the order of arrival', async () => {
  const budget = new BodyBudget(10 * mib, new TestClock());
  const first = await budget.share('a', 6 * mib, stays);
  const order: string[] = [];
  const large = budget.share('b', 8 * mib, stays).then((share) => {
    order.push('large');
    return share;
  });
  const small = budget.share('c', mib, stays).then((share) => {
    order.push('small');
    return share;
  });
  await new Promise(setImmediate);
  // The small body would fit, but the large one came first.
  expect(order).toEqual([]);
  expect(budget.taken).toBe(6 * mib);
  first.release();
  first.release();
  await Promise.all([large, small]);
  expect(order).toEqual(['large', 'small']);
  expect(budget.taken).toBe(9 * mib);
  for (const share of [await large, await small]) share.release();
  expect(budget.taken).toBe(0);
});

it('rejects a body that waited too long, and then admits the next', async () => {
  const clock = new TestClock();
  const budget = new BodyBudget(10 * mib, clock);
  const first = await budget.share('a', 6 * mib, stays);
  const late = budget.share('b', 8 * mib, stays).catch((error: unknown) => error);
  const next = budget.share('c', 3 * mib, stays);
  await clock.advance(5_000);
  expect(await late).toBeInstanceOf(GatewayError);
  expect(await late).toMatchObject({ code: 'channel_queue_full', status: 429, retryAfterS: 1 });
  (await next).release();
  first.release();
  expect(budget.taken).toBe(0);
  expect(clock.nextDue()).toBeNull();
});

it('forgets a waiting body whose client has left', async () => {
  const clock = new TestClock();
  const budget = new BodyBudget(10 * mib, clock);
  const first = await budget.share('a', 10 * mib, stays);
  const client = new AbortController();
  const left = budget.share('b', mib, client.signal).catch((error: unknown) => error);
  client.abort();
  expect(await left).toBeInstanceOf(GatewayError);
  first.release();
  expect(budget.taken).toBe(0);
  expect(clock.nextDue()).toBeNull();
});

it('counts a body of unknown length as it grows, and rejects it at the limit', async () => {
  const budget = new BodyBudget(10 * mib, new TestClock());
  const share = await budget.share('a', null, stays);
  expect(share.grow(64 * kib)).toBe(true);
  expect(budget.taken).toBe(0);
  expect(share.grow(9 * mib)).toBe(true);
  expect(budget.taken).toBe(9 * mib);
  expect(share.grow(11 * mib)).toBe(false);
  share.release();
  expect(budget.taken).toBe(0);
});

it('admits a body above the whole budget when it is alone, and small ones always', async () => {
  const budget = new BodyBudget(mib, new TestClock());
  const alone = await budget.share('a', 3 * mib, stays);
  (await budget.share('b', 64 * kib, stays)).release();
  alone.release();
  expect(budget.taken).toBe(0);
});

it('leaves room for other users when one user announces many bodies', async () => {
  const clock = new TestClock();
  const budget = new BodyBudget(16 * mib, clock);
  const refused: unknown[] = [];
  const admitted: BodyShare[] = [];
  for (let n = 0; n < 20; n += 1)
    void budget.share('greedy', 4 * mib, stays).then(
      (share) => admitted.push(share),
      (error: unknown) => refused.push(error),
    );
  await new Promise(setImmediate);
  expect(admitted).toHaveLength(3);
  // The greedy user's waiting bodies block nobody else, not even a body of unknown length.
  const other = await budget.share('other', 3 * mib, stays);
  const another = await budget.share('another', null, stays);
  expect(another.grow(512 * kib)).toBe(true);
  await clock.advance(5_000);
  expect([admitted.length, refused.length]).toEqual([3, 17]);
  for (const share of [...admitted, other, another]) share.release();
  expect(budget.taken).toBe(0);
});

it('takes turns among users, and keeps the order when a body waits for room that others hold', async () => {
  const budget = new BodyBudget(16 * mib, new TestClock());
  const first = await budget.share('a', 12 * mib, stays);
  const order: string[] = [];
  const wait = (who: string, bytes: number): Promise<BodyShare> =>
    budget.share(who, bytes, stays).then((share) => {
      order.push(who);
      return share;
    });
  const all = [wait('a', 2 * mib), wait('b', 6 * mib), wait('c', mib)];
  await new Promise(setImmediate);
  expect(order).toEqual([]);
  first.release();
  for (const share of await Promise.all(all)) share.release();
  expect(order).toEqual(['a', 'b', 'c']);
  expect(budget.taken).toBe(0);
});
