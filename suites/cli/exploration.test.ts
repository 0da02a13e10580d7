import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from 'gatecheck-reports/report';
import { expect, it } from 'vitest';
import { Cells } from '../histories/cells.ts';
import {
  cellsLeftInWords,
  explorationInWords,
  newExploration,
  readExploration,
  withRound,
  writeExploration,
} from './exploration.ts';

const check = (id: string, undrawn: readonly string[]): CheckResult =>
  ({ id, evidence: { cases: 3, exchanges: 20, undrawn } }) as unknown as CheckResult;

/** The open cells after histories that drew these upstream behaviours on the core path. */
function leftBy(...drawn: ('good' | 'server')[]): readonly string[] {
  const cells = new Cells({ behaviours: { good: 1, server: 1 } }, []);
  for (const way of ['compat', 'images', 'tasks'] as const)
    for (const behaviour of ['good', 'server'] as const) cells.add({ way, stream: false, behaviour });
  for (const way of ['models', 'read'] as const) cells.add({ way, stream: false, behaviour: 'good' });
  for (const behaviour of drawn) cells.add({ way: 'core', stream: false, behaviour });
  return cells.empty;
}

it('keeps a cell open until one round has drawn it, and adds up the exchanges of all rounds', () => {
  const first = withRound(newExploration(7), 7, [check('world.errors', leftBy('good'))]);
  expect(first).toMatchObject({ next_seed: 8, rounds: 1, open_cells: { 'world.errors': ['core: server'] } });
  expect(explorationInWords(first)).toBe('1 round, 3 cases, 20 exchanges, 1 cell not drawn yet');
  expect(cellsLeftInWords(first)).toEqual(['world.errors: no history has drawn core: server']);
  const second = withRound(first, 8, [check('world.errors', leftBy('server'))]);
  expect(second).toMatchObject({ next_seed: 9, rounds: 2, cases: 6, exchanges: 40 });
  expect(explorationInWords(second)).toBe('2 rounds, 6 cases, 40 exchanges, every cell drawn');
});

it('resumes from its file, and rejects another file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-explore-'));
  try {
    const file = join(folder, 'explored.json');
    expect(readExploration(file)).toBeNull();
    const exploration = withRound(newExploration(7), 7, [check('world.errors', leftBy('good'))]);
    writeExploration(file, exploration);
    expect(readExploration(file)).toEqual(exploration);
    writeFileSync(file, '{"rounds": 3}');
    expect(() => readExploration(file)).toThrow(/explored\.json: no file of gatecheck explore/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
