import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../suites/engine/check.ts';
import { makeFolder } from '../../suites/process/make-folder.ts';
import type { Examination } from './examination.ts';
import type { SourceFile } from './gateway-sources.ts';
import type { Reach } from './reach/reach.ts';

/** The files that an examination leaves in its folder. */
const names = { examination: 'examination.json', document: 'examination.md', reach: 'reach.json' } as const;

export function examinationPath(folder: string): string {
  return join(folder, names.examination);
}

/** The earlier examination in the folder; null without one. */
export function readExamination(folder: string): Examination | null {
  const path = examinationPath(folder);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Examination) : null;
}

/** Writes the results so far, so that hours of work survive the process. */
export function writeExamination(folder: string, examination: Examination): void {
  write(folder, names.examination, `${JSON.stringify(examination, null, 2)}\n`);
}

export function writeDocument(folder: string, markdown: string): void {
  write(folder, names.document, markdown);
}

/** Which checks run which code, as an earlier examination of the same sources and checks found out; null without one. */
export function readReach(folder: string, key: string): Reach | null {
  const path = join(folder, names.reach);
  if (!existsSync(path)) return null;
  const kept = JSON.parse(readFileSync(path, 'utf8')) as { key: string; reach: Reach };
  return kept.key === key ? kept.reach : null;
}

export function writeReach(folder: string, key: string, reach: Reach): void {
  write(folder, names.reach, `${JSON.stringify({ key, reach })}\n`);
}

/** The inputs of a reach: the gateway's sources, the checks and the seed of their cases. */
export function reachKeyOf(sources: readonly SourceFile[], checks: readonly Check[], seed: number): string {
  const parts = [sources.map(({ path, text }) => [path, text]), checks.map(({ id }) => id), seed];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Replaces the old file atomically: a killed process leaves either the old or the new one. */
function write(folder: string, name: string, text: string): void {
  makeFolder(folder);
  const path = join(folder, name);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
