import { expect, it } from 'vitest';
import { MemoryStore } from './memory-store.ts';

it('keeps what a transaction has written, though the next one begins and ends at once', () => {
  const store = new MemoryStore({ now: () => 0, onCommit: () => {}, onLockLost: () => {} });
  const [first, second] = [store.connect('one'), store.connect('other')];
  store.begin(first);
  store.tables.balances.set('acc', { posted: 1n, held: 0n });
  store.whenFree(second, () => {
    store.begin(second);
    store.disconnect(second);
  });
  store.commit(first);
  expect(store.tables.balances.get('acc')).toEqual({ posted: 1n, held: 0n });
});
