import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from 'gatecheck-reports/report';
import { exitCodes } from '../process/exit-codes.ts';
import type { ReachedTarget } from './reached-target.ts';

/** What the containers of a run wrote, beside its report. */
const file = 'containers.log';

const linesOnPage = 10;
const linesInFile = 5_000;

/** The report with the last lines of the containers that the run started, where it did not end well. */
export async function withContainerLogs(
  report: Report,
  { lastWords }: Pick<ReachedTarget, 'lastWords'>,
  folder: string,
): Promise<Report> {
  rmSync(join(folder, file), { force: true });
  if (lastWords === undefined || report.exit_code === exitCodes.conforming) return report;
  const [shown, all] = await Promise.all([lastWords(linesOnPage), lastWords(linesInFile)]);
  writeFileSync(join(folder, file), `${all.join('\n')}\n`);
  const notice = `What the containers wrote is in ${file}, beside this report. Their last lines:\n${shown.join('\n')}`;
  return { ...report, notices: [...(report.notices ?? []), notice] };
}
