import { expect, it } from 'vitest';
import { type Round, tableOf, violationsIn } from './books.ts';

const fair: Round = {
  ...{ calls: 2, received: 5n, charged: 5n, mayBeFree: 0n, owed: 3n, mayBeOwed: 3n },
  isReleased: true,
};

it('names each exceeded bound, and nothing else', () => {
  const rounds = [
    fair,
    { ...fair, received: 6n },
    { ...fair, received: 6n, mayBeFree: 1n },
    { ...fair, owed: 4n },
    { ...fair, isReleased: false },
  ];
  expect(violationsIn({ strategy: 'leaves', rounds })).toEqual([
    'leaves, round 2: $0.000000000001 received and not charged, $0 allowed',
    'leaves, round 4: $0.000000000004 owed, $0.000000000003 allowed',
    'leaves, round 5: credits were still held 40 s after the last call',
  ]);
});

it('sums the rounds of a strategy, and never shows a positive amount as zero', () => {
  const [, row] = tableOf([{ strategy: 'leaves', rounds: [fair, { ...fair, charged: 4n }] }]).split('\n');
  expect(row?.trim().split(/ {2,}/)).toEqual([
    ...['leaves', '2', '4'],
    ...['$0.000001', '$0.000001', '$0.000001', '$0.000001'],
  ]);
});
