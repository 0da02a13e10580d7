import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../../testing/test-gateway.ts';
import { type Answer, read } from '../../testing/wire.ts';

const [ops, billing] = ['operations', 'of-billing'].map((name) => `token-${name}`.repeat(2)) as [
  string,
  string,
];

let gateway: TestGateway;
beforeEach(async () => {
  const tokens = [
    { name: 'ops', token: ops },
    { name: 'billing', token: billing },
  ];
  const admin = { tokens, guesses: { free: 3, every_ms: 3_600_000 } };
  gateway = await startTestGateway(
    testConfig('http://127.0.0.1:1', { admin, trusted_proxies: ['127.0.0.0/8'] }),
  );
});
afterEach(() => gateway.close());

/** Reads the slots in use, as a proxy does for a caller at this address. */
const ask = (from: string, key: string): Promise<Answer> =>
  read(`${gateway.url}/api/admin/slots`, { key, headers: { 'x-forwarded-for': from } });
/** Awaits these answers while the clock moves on hour by hour. */
async function inHours(asked: readonly Promise<Answer>[]): Promise<Answer[]> {
  let isOver = false;
  const answers = Promise.all(asked).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await gateway.clock.advance(3_600_000);
    await wait(5);
  }
  return answers;
}
const wrong = (from: string): Promise<Answer> => ask(from, `guess-${'0'.repeat(30)}`);

it('delays all tokens of a guessing address, even right ones, but no other address', async () => {
  for (let n = 0; n < 3; n += 1) expect((await wrong('192.0.2.1')).status).toBe(401);
  const waiting = [wrong('192.0.2.1'), ask('192.0.2.1', ops)];
  expect((await ask('192.0.2.2', ops)).status).toBe(200);
  expect(await Promise.race([...waiting, 'waiting'])).toBe('waiting');
  expect((await inHours(waiting)).map(({ status }) => status)).toEqual([401, 200]);
});

it('rejects more tries than may wait, with a Retry-After', async () => {
  for (let n = 0; n < 3; n += 1) await wrong('192.0.2.1');
  const all = Array.from({ length: 12 }, () => wrong('192.0.2.1'));
  const refused: Answer[] = [];
  // Eight tries wait for an hour, but the clock stands still.
  for (const one of all) void one.then((answer) => refused.push(answer));
  while (refused.length < 4) await wait(5);
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  for (const { json, headers } of [...refused]) {
    expect(json.error).toMatchObject({
      code: 'invalid_api_key',
      message: expect.stringContaining('try again'),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  const judged = (await inHours(all)).filter(({ json }) => !json.error.message.includes('try again'));
  expect(judged.length).toBe(8);
});

it('logs addresses that guess and the name of the token used, but never a token', async () => {
  await wrong('192.0.2.1');
  await ask('192.0.2.3', testKey);
  await ask('192.0.2.2', ops);
  await ask('192.0.2.2', billing);
  const guesses = gateway.logLines.filter((line) => 'guesses' in line);
  expect(guesses).toEqual([expect.objectContaining({ address: '192.0.2.1', guesses: 1 })]);
  const named = gateway.logLines.filter((line) => line.status === 200).map((line) => line.admin);
  expect(named).toEqual(['ops', 'billing']);
  expect(JSON.stringify(gateway.logLines)).not.toMatch(/token-o|guess-0/);
});

it('forbids caches to store answers', async () => {
  const { headers } = await ask('192.0.2.2', billing);
  expect(headers['cache-control']).toBe('no-store');
});
