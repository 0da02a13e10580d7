import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainText } from 'gatecheck-reports/plain-text';
import { figureLines, fuzzMarkdown, headline } from '../fuzz/report/fuzz-markdown.ts';
import { type FuzzReport, failuresIn, type ReportedFinding } from '../fuzz/report/fuzz-report.ts';
import { bodyName } from '../fuzz/report/report-of.ts';
import { needsFile } from '../fuzz/report/shell-line.ts';
import { UsageError } from '../process/exit-codes.ts';
import { readJson, unreadable } from '../process/read-file.ts';
import { assertPlace, openFolder, shownPath } from './output-places.ts';

const files = { json: 'fuzz.json', markdown: 'fuzz.md' } as const;

/** The report of an earlier run in a folder. */
export function readFuzzReport(folder: string): FuzzReport {
  const file = join(folder, files.json);
  try {
    return readJson(file) as FuzzReport;
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--replay ${file}: this is not JSON`);
    throw unreadable(`--replay ${file}`, error);
  }
}

/** @throws UsageError when the folder cannot be written to */
export function prepareFuzzFolder(folder: string): void {
  openFolder(folder);
  assertPlace(`--out ${folder}`, () => {
    for (const name of Object.values(files)) rmSync(join(folder, name), { force: true });
  });
}

/** Writes the report in both forms, and prints its findings. */
export function writeFuzzReport(report: FuzzReport, folder: string): void {
  writeFileSync(join(folder, files.json), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, files.markdown), fuzzMarkdown(report));
  for (const { id, request } of report.findings) {
    if (request?.kind !== 'request') continue;
    const body = Buffer.from(request.body, 'base64');
    if (needsFile({ body })) writeFileSync(join(folder, bodyName(id)), body);
  }
  const { sent, coverage } = report;
  const path = shownPath(folder);
  const lines = [
    ...failuresIn(report).map(findingInWords),
    `${headline(report)} ${sent.requests} requests, ${sent.sequences} sequences, ${sent.bodies} bodies; ${coverage.covered} of ${coverage.cells} pairs of field and damage covered.`,
    ...figureLines(report).map((line) => `  ${line}`),
    `Report: ${join(path, files.markdown)} (for people), ${join(path, files.json)} (for machines)`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** A finding as a few lines of plain text. */
export function findingInWords({
  id,
  endpoint,
  cause,
  status,
  expected,
  actual,
  where,
  count,
  shell,
  replay,
}: ReportedFinding): string {
  return [
    `${id}  ${endpoint}: ${cause}${status === null ? '' : ` (HTTP ${status})`}, seen ${count === 1 ? 'once' : `${count} times`}`,
    plainText(`  where     ${where.slice(0, 4).join('; ')}`),
    plainText(`  expected  ${expected}`),
    plainText(`  got       ${actual.replaceAll(/\s+/g, ' ').slice(0, 300)}`),
    ...(replay === null ? [] : [`  again     ${replay}`]),
    ...(shell === null ? [] : [`  by hand   ${shell.slice(0, 2_000)}`]),
    '',
  ].join('\n');
}
