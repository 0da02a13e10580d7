import { describe, expect, it } from 'vitest';
import { createTestParts } from '../../testing/create-test-parts.ts';
import { inTurns, inTurnsOfUsers } from './in-turns.ts';

const { target } = createTestParts({ cap: { value: 3 } });

describe('inTurns', () => {
  it('fails with the first failure once started work has ended, and starts no more', async () => {
    const over: number[] = [];
    const work = inTurns(target, [1, 2, 3, 4], async (item) => {
      await Promise.resolve();
      if (item === 1) throw new Error('one');
      over.push(item);
    });
    await expect(work).rejects.toThrow('one');
    expect(over).toEqual([2]);
  });

  it('alternates two users, in the order of the items, when the account is the check’s own', async () => {
    const begun: string[] = [];
    let inside = 0;
    let max = 0;
    const work = async (item: number, key: string): Promise<void> => {
      begun.push(`${item} ${key}`);
      inside += 1;
      max = Math.max(max, inside);
      await Promise.resolve();
      inside -= 1;
    };
    const keys = { K1: 'sk-one', K4: 'sk-two' };
    await inTurnsOfUsers(
      { target: Object.create(target, { ownTenant: { value: true } }), keys },
      [1, 2, 3, 4, 5],
      work,
    );
    expect(begun).toEqual(['1 sk-one', '2 sk-two', '3 sk-one', '4 sk-two', '5 sk-one']);
    expect(max).toBe(4);
    begun.length = 0;
    max = 0;
    await inTurnsOfUsers(
      { target: Object.create(target, { ownTenant: { value: false } }), keys },
      [1, 2, 3],
      work,
    );
    expect([begun, max]).toEqual([['1 sk-one', '2 sk-one', '3 sk-one'], 2]);
  });
});
