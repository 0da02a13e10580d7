import { allChecks } from '../checks/all-checks.ts';
import { allMutants } from '../checks/all-mutants.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { loadRegister } from '../rules/register.ts';

interface CoverageRow {
  readonly id: string;
  readonly area: string;
  readonly level: string;
  readonly statement: string;
  readonly checks: readonly string[];
  readonly mutants: readonly string[];
  /** The slice that the row waits for; null once a check covers it. */
  readonly waits_for: string | null;
}

/** `gatecheck coverage`: every row of the register with its checks and mutants, or what it waits for. */
export async function coverageCommand(options: { json: boolean }): Promise<ExitCode> {
  const rows = [...loadRegister().values()].map((row): CoverageRow => {
    const checks = allChecks.filter((check) => check.requirements.includes(row.id)).map((check) => check.id);
    const mutants = allMutants.filter((mutant) => mutant.requirement === row.id).map((mutant) => mutant.id);
    const waits = checks.length > 0 ? null : row.slice;
    return {
      id: row.id,
      area: row.area,
      level: row.level,
      statement: row.statement,
      checks,
      mutants,
      waits_for: waits,
    };
  });
  process.stdout.write(options.json ? `${JSON.stringify(rows, null, 2)}\n` : inWords(rows));
  return exitCodes.conforming;
}

function inWords(rows: readonly CoverageRow[]): string {
  const lines: string[] = [];
  for (const area of new Set(rows.map((row) => row.area))) {
    const own = rows.filter((row) => row.area === area);
    const covered = own.filter((row) => row.waits_for === null);
    lines.push('', `${area}: ${covered.length} of ${own.length} rows`);
    for (const row of own) {
      const state =
        row.waits_for === null
          ? `${row.checks.join(' ')} (${row.mutants.length === 0 ? 'no mutant of its own' : `${row.mutants.length} ${row.mutants.length === 1 ? 'mutant' : 'mutants'}`})`
          : row.waits_for === 'none'
            ? 'cannot be checked on the wire'
            : `waits for the slice "${row.waits_for}"`;
      lines.push(`  ${row.id.padEnd(10)} ${row.level.padEnd(6)} ${state}`);
    }
  }
  const covered = rows.filter((row) => row.waits_for === null).length;
  const checks = new Set(rows.flatMap((row) => row.checks)).size;
  lines.push(
    '',
    `${covered} of ${rows.length} rows are covered by ${checks} checks; ${allMutants.length} mutants prove that they can fail.`,
  );
  return `${lines.join('\n').trimStart()}\n`;
}
