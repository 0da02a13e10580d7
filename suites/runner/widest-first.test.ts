import { describe, expect, it } from 'vitest';
import { allChecks } from '../checks/all-checks.ts';
import type { Check } from '../engine/check.ts';
import { byCost } from './cost-of-kind.ts';
import { widestFirst } from './widest-first.ts';

function check(id: string, requirements: string[], more: Partial<Check> = {}): Check {
  return { id, requirements, kind: 'example', ...more } as unknown as Check;
}

const idsOf = (checks: readonly Check[]): string[] => widestFirst(checks, byCost).map(({ id }) => id);

describe('the order for a run that may stop early', () => {
  it('puts checks that cover most new rules first, and checks that repeat rules later', () => {
    const checks = [check('one', ['R-1']), check('two', ['R-1', 'R-2']), check('three', ['R-3'])];
    expect(idsOf(checks)).toEqual(['two', 'three', 'one']);
  });

  it('puts the cheapest of equal checks first, and checks that move the clock last', () => {
    const checks = [
      check('jumps', ['R-1', 'R-2', 'R-3'], { clock: 'jump' }),
      check('waits', ['R-1'], { kind: 'timing' }),
      check('asks', ['R-1'], { kind: 'example' }),
    ];
    expect(idsOf(checks)).toEqual(['asks', 'waits', 'jumps']);
  });

  it('has every check once', () => {
    const ordered = widestFirst(allChecks, byCost);
    expect(ordered.map(({ id }) => id).toSorted()).toEqual(allChecks.map(({ id }) => id).toSorted());
    const still = ordered.filter(({ clock }) => clock !== 'jump');
    const rules = (checks: readonly Check[]): number =>
      new Set(checks.flatMap(({ requirements }) => requirements)).size;
    expect(rules(still.slice(0, 250))).toBeGreaterThan(0.85 * rules(still));
  });
});
