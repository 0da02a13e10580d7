import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from 'gatecheck-reports/report';
import { asRunSummary, type RunSummary, runSummaryOf } from 'gatecheck-reports/run-summary';
import { trendOf } from 'gatecheck-reports/trend';
import { UsageError } from '../process/exit-codes.ts';
import { readJson } from '../process/read-file.ts';
import type { Selection } from '../runner/select.ts';
import { openFolder } from './output-places.ts';

/** The number of runs shown, and of files read to find them. */
const mostRuns = 20;
const mostFiles = 200;
/** How many unreadable files are named. */
const mostNamed = 3;

const nameForm = /^\d{4}-\d\d-\d\dT[\d-]+Z-\d+\.json$/;

/**
 * Makes the folder of `--history` ready before anything is sent.
 * @throws UsageError when it cannot be written to, or the run is a part of one
 */
export function openHistory(folder: string, shard: Selection['shard']): void {
  if (shard !== null) throw new UsageError('--history does not work with --shard: give it to merge');
  openFolder(folder, '--history');
}

/** The report with the last runs of its target, whose summaries lie in `folder`; its own is added to them. */
export function withHistory(report: Report, folder: string): Report {
  const own = runSummaryOf(report);
  const { runs, faults } = readHistory(folder, own);
  const notices = [...(report.notices ?? []), ...faults, ...keep(own, folder)];
  const trend = trendOf([...runs, own]).slice(-mostRuns);
  return { ...report, trend, ...(notices.length > 0 && { notices }) };
}

interface Found {
  /** Oldest first. */
  readonly runs: readonly RunSummary[];
  /** Sentences about unreadable files. */
  readonly faults: readonly string[];
}

/** Earlier runs of the same target. */
function readHistory(folder: string, { target, started_at: before }: RunSummary): Found {
  const names = readdirSync(folder)
    .filter((name) => nameForm.test(name))
    .toSorted()
    .slice(-mostFiles);
  const read = names.map((name) => ({ name, found: readSummary(join(folder, name)) }));
  const broken = read.flatMap(({ name, found }) => (found === null ? [name] : []));
  const runs = read
    .flatMap(({ found }) => found ?? [])
    .filter((run) => run.target === target && run.started_at < before)
    .sort((one, other) => (one.started_at < other.started_at ? -1 : 1));
  return { runs, faults: broken.length === 0 ? [] : [faultOf(folder, broken)] };
}

function faultOf(folder: string, broken: readonly string[]): string {
  const more = broken.length > mostNamed ? ` and ${broken.length - mostNamed} more` : '';
  const named = broken.slice(0, mostNamed).join(', ');
  const [are, them] = broken.length === 1 ? ['is no summary', 'it'] : ['are no summaries', 'them'];
  return `--history ${folder}: ${named}${more} ${are} of a run that can be read; the last runs are shown without ${them}`;
}

function readSummary(file: string): RunSummary | null {
  try {
    return asRunSummary(readJson(file));
  } catch {
    return null;
  }
}

/** Leaves the summary of a run; a disk that is full then must not cost its report. */
function keep(own: RunSummary, folder: string): string[] {
  const file = join(folder, `${own.started_at.replaceAll(/[:.]/g, '-')}-${own.seed}.json`);
  try {
    writeFileSync(`${file}.part`, `${JSON.stringify(own)}\n`);
    renameSync(`${file}.part`, file);
    return [];
  } catch (error) {
    return [`--history ${folder}: this run could not be kept: ${(error as Error).message}`];
  }
}
