import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { renderConsole } from 'gatecheck-reports/console';
import { renderHar } from 'gatecheck-reports/har';
import { renderHtml } from 'gatecheck-reports/html';
import { renderJunit } from 'gatecheck-reports/junit';
import { renderMarkdown } from 'gatecheck-reports/markdown';
import { oneLine } from 'gatecheck-reports/plain-text';
import type { Report } from 'gatecheck-reports/report';
import { reportSchema } from 'gatecheck-reports/report-schema';
import { makeFolder } from '../process/make-folder.ts';
import { sayToRunner } from './output.ts';
import { assertPlace, openFolder, shownPath } from './output-places.ts';
import { codeQualityFile, publish } from './publish.ts';

/** The files that a run leaves in its folder. */
const names = ['report.json', 'report.schema.json', 'junit.xml', 'report.html', 'summary.md'] as const;
type Name = (typeof names)[number];

/**
 * Prepares the folder of a command that certainly writes a report: it is writable, and has no older one.
 * @throws UsageError when it cannot be written to
 */
export function prepareFolder(folder: string): void {
  openFolder(folder);
  removeReports(folder);
}

/**
 * Removes the reports of an earlier run, which could be mistaken for those of this one. Called once there is something to
 * judge.
 * @throws UsageError when the folder cannot be written to
 */
export function removeReports(folder: string): void {
  assertPlace(`--out ${folder}`, () => {
    for (const name of [...names, codeQualityFile]) rmSync(join(folder, name), { force: true });
  });
}

/** Writes the report in every form into `folder`, beside the JSON Schema of the machine-readable one. */
export function writeReports(report: Report, folder: string): void {
  makeFolder(folder);
  const write = (name: Name, text: string): void => writeFileSync(join(folder, name), text);
  write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  write('report.schema.json', `${JSON.stringify(reportSchema, null, 2)}\n`);
  write('junit.xml', renderJunit(report));
  write('report.html', renderHtml(report));
  write('summary.md', renderMarkdown(report));
}

/** Writes the exchanges of all failures as an HTTP archive. */
export function writeHar(report: Report, file: string): void {
  writeFileSync(file, renderHar(report));
}

/** Delivers the report of a run: into its folder, on the terminal, and to the CI service. */
export function deliver(report: Report, folder: string, isQuiet = false): void {
  writeReports(report, folder);
  if (isQuiet) {
    process.stdout.write(`${oneLine(report.headline)}\n`);
    nameReports(folder);
  } else showReport(report, folder);
  publish(report, folder, { env: process.env, print: sayToRunner });
}

/** The end of a run on the terminal: the report in words on stdout, and where the files are. */
export function showReport(report: Report, folder: string): void {
  const out = process.stdout;
  const color = styleText('red', 'x', { stream: out }) !== 'x';
  out.write(renderConsole(report, { color, width: out.columns ?? 100 }));
  nameReports(folder);
}

/** Prints where the written reports are. */
export function nameReports(folder: string): void {
  const path = shownPath(folder);
  process.stdout.write(
    `\nReport: ${join(path, 'report.html')}; for machines: report.json and junit.xml beside it\n`,
  );
}
