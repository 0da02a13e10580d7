import type { Report } from 'gatecheck-reports/report';
import { UsageError } from '../process/exit-codes.ts';
import { readJson, unreadable } from '../process/read-file.ts';
import { reportFault } from '../wire/report-fault.ts';

const noReport = 'this is not the report.json of a run';

/** The reports that were read, by how the user named them. */
const known: { readonly shown: string; readonly report: Report }[] = [];

/**
 * The report.json of an earlier run. Members that this version adds may be missing in it: `faultInReports` explains an error
 * that follows from that.
 * @param name how the user named the file, for the message: `--run`, `OLD`
 * @throws UsageError when the file cannot be read or is no report of a run
 */
export function readReport(file: string, name: string): Report {
  const shown = `${name} ${file}`;
  let found: unknown;
  try {
    found = readJson(file);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${shown}: ${noReport}`);
    throw unreadable(shown, error);
  }
  if (!isReport(found)) throw new UsageError(`${shown}: ${noReport}`);
  known.push({ shown, report: found });
  return found;
}

/** Why a report that was read is none, as one sentence; null if all of them fit their schema. */
export function faultInReports(): string | null {
  for (const { shown, report } of known) {
    const fault = reportFault(report);
    if (fault !== null) return `${shown}: ${noReport} of this version: ${fault}`;
  }
  return null;
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
