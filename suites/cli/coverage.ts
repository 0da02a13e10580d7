import { matrixOf } from '../checks/rows-by-way.ts';
import { wayNames } from '../engine/way-of.ts';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { loadRegister } from '../rules/register.ts';
import { knownChecks } from '../runner/known-checks.ts';
import { readReport } from './read-report.ts';

interface CoverageRow {
  readonly id: string;
  readonly area: string;
  readonly level: string;
  readonly statement: string;
  readonly checks: readonly string[];
  readonly mutants: readonly string[];
  /** Why no check can cover the row; null where one does, or could. */
  readonly not_checked: string | null;
}

/** `gatecheck coverage`: every row of the register with its checks and mutants, or why it has none. */
export async function coverageCommand(options: { json: boolean; run?: string }): Promise<ExitCode> {
  if (options.run !== undefined) return showMatrix(options.run, options.json);
  const known = await knownChecks();
  const rows = [...loadRegister().values()].map((row): CoverageRow => {
    const checks = known.checks
      .filter((check) => check.requirements.includes(row.id))
      .map((check) => check.id);
    const mutants = known.mutants
      .filter((mutant) => mutant.requirement === row.id)
      .map((mutant) => mutant.id);
    return {
      id: row.id,
      area: row.area,
      level: row.level,
      statement: row.statement,
      checks,
      mutants,
      not_checked: row.not_checked ?? null,
    };
  });
  process.stdout.write(
    options.json ? `${JSON.stringify(rows, null, 2)}\n` : inWords(rows, known.mutants.length),
  );
  return exitCodes.conforming;
}

/** The matrix of rows and endpoints, from a run's report. A cell without a call and without a reason is a failure. */
function showMatrix(file: string, json: boolean): ExitCode {
  const rows = matrixOf(readReport(file, '--run').checks);
  const lines = rows.map(({ row, calls, empty }) => {
    const cells = wayNames.map((way) => `${way}: ${empty.includes(way) ? 'EMPTY' : calls[way] || '-'}`);
    return `${row.padEnd(10)} ${cells.join('; ')}`;
  });
  const count = rows.reduce((sum, { empty }) => sum + empty.length, 0);
  const last = `${rows.length} rows about several endpoints; ${count} cells without a call and a reason.`;
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : `${[...lines, '', last].join('\n')}\n`);
  return count === 0 ? exitCodes.conforming : exitCodes.failures;
}

function inWords(rows: readonly CoverageRow[], mutants: number): string {
  const lines: string[] = [];
  for (const area of new Set(rows.map((row) => row.area))) {
    const own = rows.filter((row) => row.area === area);
    const covered = own.filter(isCovered);
    lines.push('', `${area}: ${covered.length} of ${own.length} rows`);
    for (const row of own) {
      lines.push(`  ${row.id.padEnd(10)} ${row.level.padEnd(6)} ${stateOf(row)}`);
    }
  }
  const covered = rows.filter(isCovered).length;
  const checks = new Set(rows.flatMap((row) => row.checks)).size;
  lines.push(
    '',
    `${covered} of ${rows.length} rows are covered by ${checks} checks; ${mutants} mutants prove that they can fail.`,
  );
  return `${lines.join('\n').trimStart()}\n`;
}

function isCovered({ checks }: CoverageRow): boolean {
  return checks.length > 0;
}

function stateOf(row: CoverageRow): string {
  if (!isCovered(row)) return row.not_checked === null ? 'no check yet' : 'cannot be observed over HTTP';
  const count = row.mutants.length;
  const mutants = count === 0 ? 'no mutant of its own' : count === 1 ? '1 mutant' : `${count} mutants`;
  return `${row.checks.join(' ')} (${mutants})`;
}
