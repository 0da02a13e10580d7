import { expect, it } from 'vitest';
import { ClockTurns } from './clock-turns.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that records its start and ends on request. */
function watched(begun: string[], name: string): { run: () => Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    run: () => {
      begun.push(name);
      return promise;
    },
    end: resolve,
  };
}

it('starts checks that move a clock together, once all checks that leave it have ended', async () => {
  const turns = new ClockTurns();
  const begun: string[] = [];
  const [left, late, moved, other, alone] = ['left', 'late', 'moved', 'other', 'alone'].map((name) =>
    watched(begun, name),
  );
  if (!left || !late || !moved || !other || !alone) throw new Error('there are five');
  const all = [
    turns.take({}, left.run),
    turns.take({ clock: 'alone' }, alone.run),
    turns.take({ clock: 'jump' }, moved.run),
    turns.take({}, late.run),
    turns.take({ clock: 'jump' }, other.run),
  ];
  await settle();
  expect(begun).toEqual(['left', 'late']);
  left.end();
  await settle();
  expect(begun).toEqual(['left', 'late']);
  late.end();
  await settle();
  expect(begun).toEqual(['left', 'late', 'moved', 'other']);
  moved.end();
  other.end();
  await settle();
  expect(begun.at(-1)).toBe('alone');
  alone.end();
  await Promise.all(all);
});

it('continues after work has thrown', async () => {
  const turns = new ClockTurns();
  const failing = turns.take({}, () => Promise.reject(new Error('no')));
  const next = turns.take({ clock: 'jump' }, async () => 'after it');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('after it');
});
