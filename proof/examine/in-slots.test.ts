import { expect, it } from 'vitest';
import { inSlots } from './in-slots.ts';

it('begins the next item as soon as one is done, and has never more under way than there are slots', async () => {
  const gates = new Map<number, () => void>();
  const begun: number[] = [];
  const { signal } = new AbortController();
  const all = inSlots([1, 2, 3], { slots: 2, signal }, (item) => {
    begun.push(item);
    return new Promise((resolve) => gates.set(item, resolve));
  });
  expect(begun).toEqual([1, 2]);
  gates.get(2)?.();
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2, 3]);
  gates.get(1)?.();
  gates.get(3)?.();
  await all;
});

it('begins nothing more once it is interrupted', async () => {
  const controller = new AbortController();
  const begun: number[] = [];
  await inSlots([1, 2, 3], { slots: 1, signal: controller.signal }, async (item) => {
    begun.push(item);
    controller.abort();
  });
  expect(begun).toEqual([1]);
});
