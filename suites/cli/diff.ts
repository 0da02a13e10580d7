import { compareReports, isWorse } from 'gatecheck-reports/comparison';
import { renderComparison } from 'gatecheck-reports/render-comparison';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { readReport } from './read-report.ts';

export interface DiffOptions {
  readonly json: boolean;
}

/** `gatecheck diff OLD NEW`: regressions and improvements between two runs. Exits with 1 when a check newly fails. */
export async function diffCommand(oldFile: string, newFile: string, options: DiffOptions): Promise<ExitCode> {
  const [older, newer] = [readReport(oldFile, 'OLD'), readReport(newFile, 'NEW')];
  const comparison = compareReports(older, newer);
  const text = options.json
    ? `${JSON.stringify(comparison, null, 2)}\n`
    : renderComparison(comparison, older, newer);
  process.stdout.write(text);
  return isWorse(comparison) ? exitCodes.failures : exitCodes.conforming;
}
