import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { BodyBudget } from './body-budget.ts';

const kib = 1024;
const mib = 1024 * kib;
const stays = new AbortController().signal;

it('admits what fits, and whoever waits in the order of arrival', async () => {
  const budget = new BodyBudget(10 * mib, new TestClock());
  const first = await budget.share(6 * mib, stays);
  const order: string[] = [];
  const large = budget.share(8 * mib, stays).then((share) => {
    order.push('large');
    return share;
  });
  const small = budget.share(mib, stays).then((share) => {
    order.push('small');
    return share;
  });
  await new Promise(setImmediate);
  // There is room for the small one, but the large one came first.
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

it('refuses who has waited too long, and goes on without him', async () => {
  const clock = new TestClock();
  const budget = new BodyBudget(10 * mib, clock);
  const first = await budget.share(6 * mib, stays);
  const late = budget.share(8 * mib, stays).catch((error: unknown) => error);
  const next = budget.share(4 * mib, stays);
  await clock.advance(5_000);
  expect(await late).toBeInstanceOf(GatewayError);
  expect(await late).toMatchObject({ code: 'channel_queue_full', status: 429, retryAfterS: 1 });
  (await next).release();
  first.release();
  expect(budget.taken).toBe(0);
  expect(clock.nextDue()).toBeNull();
});

it('forgets who has left while waiting', async () => {
  const clock = new TestClock();
  const budget = new BodyBudget(10 * mib, clock);
  const first = await budget.share(10 * mib, stays);
  const client = new AbortController();
  const left = budget.share(mib, client.signal).catch((error: unknown) => error);
  client.abort();
  expect(await left).toBeInstanceOf(GatewayError);
  first.release();
  expect(budget.taken).toBe(0);
  expect(clock.nextDue()).toBeNull();
});

it('counts a body without a length as it grows, and refuses it at the bound', async () => {
  const budget = new BodyBudget(10 * mib, new TestClock());
  const share = await budget.share(null, stays);
  expect(share.grow(64 * kib)).toBe(true);
  expect(budget.taken).toBe(0);
  expect(share.grow(9 * mib)).toBe(true);
  expect(budget.taken).toBe(9 * mib);
  expect(share.grow(11 * mib)).toBe(false);
  share.release();
  expect(budget.taken).toBe(0);
});

it('takes a body above the whole budget when it is alone, and small ones always', async () => {
  const budget = new BodyBudget(mib, new TestClock());
  const alone = await budget.share(3 * mib, stays);
  (await budget.share(64 * kib, stays)).release();
  alone.release();
  expect(budget.taken).toBe(0);
});
