import { describe, expect, it } from 'vitest';
import { accusationsOf, GroupRecord, halves, type Member, putTogether } from './together.ts';

function member(id: string, file: string, ...checks: string[]): Member {
  return { id, file, checks: new Set(checks) };
}
const idsOf = (members: readonly Member[]): string[] => members.map(({ id }) => id);

describe('who is put together', () => {
  it('is at most so many, and never two of one file', () => {
    const members = [
      member('a', 'x', '1'),
      member('b', 'x', '1'),
      member('c', 'y', '1'),
      member('d', 'z', '1'),
    ];
    expect(putTogether(members, 2).map(idsOf)).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ]);
  });

  it('begins with those that many checks reach', () => {
    const members = [
      member('few', 'x', '1'),
      member('many', 'y', '1', '2', '3'),
      member('some', 'z', '1', '2'),
    ];
    expect(putTogether(members, 2).map(idsOf)).toEqual([['many', 'some'], ['few']]);
  });

  it('is nobody when there is nobody', () => {
    expect(putTogether([], 2)).toEqual([]);
  });

  it('falls into halves without loss', () => {
    expect(halves([1, 2, 3])).toEqual([[1, 2], [3]]);
    expect(halves([1])).toEqual([[1], []]);
  });
});

describe('who is suspect', () => {
  const [a, b, c] = [member('a', 'x', '1', '2'), member('b', 'y', '2', '3'), member('c', 'z', '4')];

  it('is whom the check reaches, in the order of the failures', () => {
    const accusations = accusationsOf(['4', '1'], [a, b, c]);
    expect(accusations.map(({ check, suspects }) => [check, idsOf(suspects)])).toEqual([
      ['4', ['c']],
      ['1', ['a']],
    ]);
  });

  it('is not accused twice at a time', () => {
    expect(accusationsOf(['2', '1', '3'], [a, b, c]).map(({ check }) => check)).toEqual(['2']);
  });

  it('is likeliest the one of whose checks the most have failed', () => {
    const [accusation] = accusationsOf(['2', '3'], [a, b, c]);
    expect(idsOf(accusation?.suspects ?? [])).toEqual(['b', 'a']);
  });
});

describe('the record of a group', () => {
  const all = ['1', '2', '3', '4', '5'];
  const [a, b] = [member('a', 'x', '1', '2'), member('b', 'y', '2', '3')];

  it('has to run what reaches a member and is not settled', () => {
    const record = new GroupRecord([a, b]);
    expect(record.todo(all)).toEqual(['1', '2', '3']);
    record.settle('2');
    expect(record.todo(all)).toEqual(['1', '3']);
    expect(record.judgedOn(b)).toBe(1);
  });

  it('asks again what reached a member that is out, as far as it reaches another', () => {
    const record = new GroupRecord([a, b]);
    for (const check of all) record.settle(check);
    record.remove(a);
    expect(record.left).toEqual([b]);
    expect(record.todo(all)).toEqual(['2']);
  });
});
