import { describe, expect, it } from 'vitest';
import { diffOf, mutantAt } from './source-mutant.ts';

const text = 'a(1);\nb(1);\na(1);\nc(1);\n';
const spotAt = (start: number): Parameters<typeof mutantAt>[2] => ({
  operator: 'WrongConstant',
  start,
  end: start + 1,
  replacement: '2',
});

describe('a mutant', () => {
  it('finds its line', () => {
    expect(mutantAt('x.ts', text, spotAt(8))).toMatchObject({ line: 2, find: 'b(1);', replace: 'b(2);' });
  });

  it('finds as many lines as it takes to be the only place', () => {
    expect(mutantAt('x.ts', text, spotAt(2))).toMatchObject({
      ...{ line: 1, find: 'a(1);\nb(1);', replace: 'a(2);\nb(1);' },
    });
  });

  it('has an id that stays when other lines move', () => {
    const moved = mutantAt('x.ts', `// new\n${text}`, spotAt(15));
    expect(moved.line).toBe(3);
    expect(moved.id).toBe(mutantAt('x.ts', text, spotAt(8)).id);
  });

  it('shows only lines that differ', () => {
    expect(diffOf(mutantAt('x.ts', text, spotAt(2)))).toEqual(['-a(1);', '+a(2);']);
    expect(diffOf({ file: 'x.ts', find: 'a {\n b\n}', replace: 'a {}' })).toEqual([
      '-a {',
      '- b',
      '-}',
      '+a {}',
    ]);
  });
});
