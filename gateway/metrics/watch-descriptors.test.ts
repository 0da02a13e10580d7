import { pino } from 'pino';
import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { watchDescriptors } from './watch-descriptors.ts';

it('counts each check without a free descriptor, and logs the first and then one a minute', async () => {
  const timer = new TestClock();
  const lines: { level: number; msg: string; code?: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  let code: string | null = null;
  let counted = 0;
  let looks = 0;
  const watch = watchDescriptors({
    tryOpen: async () => {
      looks += 1;
      if (code !== null) throw Object.assign(new Error('no'), { code });
    },
    timer,
    onExhausted: () => {
      counted += 1;
    },
    log,
  });
  const seconds = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      // The last check has ended, and the next one is scheduled.
      await new Promise((resolve) => setImmediate(resolve));
      await timer.advance(1_000);
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  watch.begin();
  await seconds(3);
  expect([looks, counted, lines]).toEqual([4, 0, []]);
  code = 'EMFILE';
  await seconds(59);
  expect(counted).toBe(59);
  expect(lines).toEqual([expect.objectContaining({ level: 50, code: 'EMFILE' })]);
  await seconds(4);
  expect(lines.length).toBe(2);
  code = null;
  await seconds(2);
  expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'file descriptors are free again' });
  code = 'EACCES';
  await seconds(2);
  expect([counted, lines.length]).toEqual([63, 3]);
  await watch.stop();
});
