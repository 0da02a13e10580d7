import { existsSync, writeFileSync } from 'node:fs';
import type { CheckResult } from 'gatecheck-reports/report';
import { UsageError } from '../process/exit-codes.ts';
import { mostBytes, readWithin, unreadable } from '../process/read-file.ts';
import { countOf } from '../runner/count-of.ts';
import { isJsonObject, parseJson } from '../values/json.ts';

/** The progress of `gatecheck explore` over all rounds, including resumed ones. */
export interface Exploration {
  readonly schema: 'gatecheck.exploration/1';
  /** The first seed that was not tried yet. */
  readonly next_seed: number;
  readonly rounds: number;
  readonly cases: number;
  readonly exchanges: number;
  /** For each check, the cells of way and upstream that no round has drawn. */
  readonly open_cells: Readonly<Record<string, readonly string[]>>;
}

export function newExploration(seed: number): Exploration {
  return {
    ...{ schema: 'gatecheck.exploration/1', next_seed: seed, rounds: 0, cases: 0, exchanges: 0 },
    open_cells: {},
  };
}

/**
 * Reads the file of an earlier `explore`; null if there is none.
 * @throws UsageError for a file of another kind
 */
export function readExploration(file: string): Exploration | null {
  if (!existsSync(file)) return null;
  const read = parseJson(textOf(file));
  if (!isExploration(read)) throw new UsageError(`--resume ${file}: no file of gatecheck explore`);
  return read;
}

function textOf(file: string): string {
  try {
    return readWithin(file, mostBytes.report).toString('utf8');
  } catch (error) {
    throw unreadable(`--resume ${file}`, error);
  }
}

function isExploration(value: unknown): value is Exploration {
  if (!isJsonObject(value) || value.schema !== 'gatecheck.exploration/1') return false;
  const counts = [value.next_seed, value.rounds, value.cases, value.exchanges];
  const lists = isJsonObject(value.open_cells) ? Object.values(value.open_cells) : [null];
  return (
    counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
    lists.every((cells) => Array.isArray(cells) && cells.every((cell) => typeof cell === 'string'))
  );
}

export function writeExploration(file: string, exploration: Exploration): void {
  writeFileSync(file, `${JSON.stringify(exploration, null, 2)}\n`);
}

/** Adds a round: a cell stays open until one round has drawn it. */
export function withRound(before: Exploration, seed: number, checks: readonly CheckResult[]): Exploration {
  const open = { ...before.open_cells };
  for (const { id, evidence } of checks) {
    const { undrawn } = evidence;
    if (undrawn !== undefined) open[id] = undrawn.filter((cell) => open[id]?.includes(cell) !== false);
  }
  const sum = (of: (evidence: CheckResult['evidence']) => number): number =>
    checks.reduce((total, { evidence }) => total + of(evidence), 0);
  return {
    ...{ schema: before.schema, next_seed: seed + 1, rounds: before.rounds + 1, open_cells: open },
    cases: before.cases + sum(({ cases }) => cases),
    exchanges: before.exchanges + sum(({ exchanges }) => exchanges),
  };
}

/** How a person reads it after each round, on one line. */
export function explorationInWords({ rounds, cases, exchanges, open_cells: open }: Exploration): string {
  const left = Object.values(open).flat().length;
  const cells = left === 0 ? 'every cell drawn' : `${countOf(left, 'cell')} not drawn yet`;
  return `${countOf(rounds, 'round')}, ${countOf(cases, 'case')}, ${countOf(exchanges, 'exchange')}, ${cells}`;
}

/** The open cells, one line for each check. */
export function cellsLeftInWords({ open_cells: open }: Exploration): string[] {
  return Object.entries(open).flatMap(([id, cells]) =>
    cells.length === 0 ? [] : [`${id}: no history has drawn ${cells.join('; ')}`],
  );
}
