import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { BoundedLines } from './bounded-lines.ts';

/** A reader that takes lines only after `takeAll`. */
function slowReader(): { to: Writable; taken: string[]; takeAll: () => void } {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  let isStalled = true;
  const to = new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      const take = (): void => {
        if (text !== '') taken.push(text);
        done();
      };
      if (isStalled) waiting.push(take);
      else take();
    },
  });
  const takeAll = (): void => {
    isStalled = false;
    for (const take of waiting.splice(0)) take();
  };
  return { to, taken, takeAll };
}

const tellDropped = (lines: number): string => `${lines} dropped\n`;

it('drops lines that exceed the limit, and reports their number once there is room', async () => {
  const { to, taken, takeAll } = slowReader();
  const lines = new BoundedLines({ to, maxWaitingBytes: 12, tellDropped });
  for (const line of ['one\n', 'two\n', 'six\n', 'seven\n', 'eight\n']) lines.write(line);
  expect(lines.dropped).toBe(2);
  takeAll();
  await lines.flush(1_000);
  lines.write('nine\n');
  await lines.flush(1_000);
  expect(taken.join('')).toBe('one\ntwo\nsix\n2 dropped\nnine\n');
});

it('stops waiting for a stalled reader after the time limit', async () => {
  const { to, taken } = slowReader();
  const lines = new BoundedLines({ to, maxWaitingBytes: 100, tellDropped });
  lines.write('one\n');
  await lines.flush(1);
  expect(taken).toEqual([]);
});

it('keeps running when its reader is gone', async () => {
  const to = new Writable({ write: (_, __, done) => done(new Error('EPIPE')) });
  const lines = new BoundedLines({ to, maxWaitingBytes: 100, tellDropped });
  lines.write('one\n');
  await new Promise((resolve) => setImmediate(resolve));
  lines.write('two\n');
  await lines.flush(1_000);
  expect(lines.dropped).toBe(1);
});
