import { afterAll, beforeAll, expect, it } from 'vitest';
import { boundedCall } from '../process/bounded-call.ts';
import { type FakeHook, startFakeHook } from '../testing/fake-hook.ts';
import { type HookFan, startHookFan } from './hook-fan.ts';

/** Two processes, each with a clock (the second is 5 ms ahead), and records that both know. */
let processes: FakeHook[];
let fan: HookFan;
let status = 200;
beforeAll(async () => {
  processes = await Promise.all(
    [0, 5].map((aheadMs) => {
      let nowMs = 1_000 + aheadMs;
      return startFakeHook(({ path, body }) => {
        if (path === '/hooks/clock') {
          nowMs += (body as { advance_ms?: number } | undefined)?.advance_ms ?? 0;
          return { status, body: { now_ms: nowMs, next_due_ms: aheadMs === 0 ? null : nowMs + 7 } };
        }
        return { body: { path } };
      });
    }),
  );
  fan = await startHookFan(() => processes.map(({ url }) => new URL(url).origin));
});
afterAll(async () => {
  await fan.close();
  await Promise.all(processes.map((one) => one.close()));
});

const call = async (path: string, body?: object): Promise<{ status: number; json: unknown }> => {
  const answer = await boundedCall(fan.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer hook' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: JSON.parse(answer.text) };
};
const askedOf = (path: string): number[] =>
  processes.map(({ asked }) => asked.filter((one) => one.path === path).length);

it('moves every clock, and shows the latest time with the earliest timer', async () => {
  expect((await call('/hooks/clock')).json).toEqual({ now_ms: 1_005, next_due_ms: 1_012 });
  expect((await call('/hooks/clock', { advance_ms: 60 })).json).toEqual({
    now_ms: 1_065,
    next_due_ms: 1_072,
  });
  for (const { asked } of processes)
    expect(asked.every((one) => one.authorization === 'Bearer hook')).toBe(true);
});

it('cuts every process off from the database', async () => {
  await call('/hooks/store', { stopped: true });
  expect(askedOf('/hooks/store')).toEqual([1, 1]);
});

it('distributes other hooks to the processes in turn', async () => {
  for (let turn = 0; turn < 4; turn += 1) await call('/hooks/usage?request_id=a');
  expect(askedOf('/hooks/usage?request_id=a')).toEqual([2, 2]);
});

it('passes on a refusal', async () => {
  status = 401;
  expect((await call('/hooks/clock', { advance_ms: 1 })).status).toBe(401);
  status = 200;
});

it('forwards only hook paths', async () => {
  for (const path of ['/hooks/accounts', '/hooks/accounts/acct-1/keys', '/hooks/ledger?request_id=a..b'])
    expect((await call(path)).status).toBe(200);
  const paths = ['/api/admin/accounts', '/hooks/../api/admin/accounts', '/hooks', '//hooks/usage'];
  for (const path of paths) expect((await call(path)).status).toBe(404);
  expect(paths.flatMap(askedOf)).toEqual(Array(8).fill(0));
});
