import { readFileSync } from 'node:fs';
import type { Report } from 'gatecheck-reports/report';
import { UsageError } from '../process/exit-codes.ts';

const noReport = 'this is not the report.json of a run';

/**
 * The report.json of an earlier run.
 * @param name how the user named the file, for the message: `--run`, `OLD`
 * @throws UsageError when the file cannot be read or is no report of a run
 */
export function readReport(file: string, name: string): Report {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${name} ${file}: ${noReport}`);
    throw new UsageError(`${name} ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (isReport(found)) return found;
  throw new UsageError(`${name} ${file}: ${noReport}`);
}

function isReport(found: unknown): found is Report {
  return (
    found !== null &&
    typeof found === 'object' &&
    'schema' in found &&
    found.schema === 'gatecheck.report/2' &&
    'checks' in found &&
    Array.isArray(found.checks)
  );
}
