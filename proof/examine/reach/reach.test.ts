import { describe, expect, it } from 'vitest';
import { mutantAt, type SourceMutant } from '../source-mutant.ts';
import type { FileCoverage, Range } from './coverage-line.ts';
import { ReachRecord, reachedBy } from './reach.ts';

const text = 'const a = 1;\nb(2);\nc(3);\n';

function mutantOf(part: string, file = 'gateway/x.ts'): SourceMutant {
  const start = text.indexOf(part);
  return mutantAt(file, text, { operator: 'WrongConstant', start, end: start + 1, replacement: '9' });
}

const [atStart, inB, inC, elsewhere] = [
  mutantOf('1'),
  mutantOf('2'),
  mutantOf('3'),
  mutantOf('2', 'gateway/y.ts'),
];
const ran = (...ranges: Range[]): FileCoverage[] => [{ path: 'gateway/x.ts', ranges }];

const record = new ReachRecord([atStart, inB, inC, elsewhere]);
record.start(ran([0, text.length, 1], [13, 18, 0], [19, 24, 0]));
record.check('runs.b', ran([0, text.length, 0], [13, 18, 1], [19, 24, 0]));
record.check('runs.nothing', ran([0, text.length, 0]));
const reach = record.reach();

describe('the checks for a mutant', () => {
  const checks = ['z.far', 'runs.nothing', 'runs.b'].map((id) => ({ id }));
  const idsFor = (mutant: SourceMutant): string[] => reachedBy(checks, mutant, reach).map(({ id }) => id);

  it('are those that run its place', () => expect(idsFor(inB)).toEqual(['runs.b']));

  it('are all if that is unknown, with those that run any code of its file first', () =>
    expect(idsFor(atStart)).toEqual(['runs.b', 'z.far', 'runs.nothing']));
});
