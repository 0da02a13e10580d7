import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleReport } from 'gatecheck-reports/testing/sample-report';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../process/exit-codes.ts';
import { readHar } from '../watch/har.ts';
import { assertFile } from './output-places.ts';
import { prepareFolder, writeHar, writeReports } from './write-reports.ts';

const root = mkdtempSync(join(tmpdir(), 'gatecheck-out-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('the folder of a run', () => {
  it('is created, and contains no report of an older run', () => {
    const folder = join(root, 'new', 'out');
    prepareFolder(folder);
    writeReports(sampleReport(), folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect(readdirSync(folder)).toContain('report.json');
    prepareFolder(folder);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });

  it('is rejected before anything is sent when it cannot be written to', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => prepareFolder(file)).toThrow(UsageError);
    const folder = join(root, 'taken');
    mkdirSync(join(folder, 'report.json'), { recursive: true });
    expect(() => prepareFolder(folder)).toThrow(`--out ${folder} cannot be written to`);
    expect(existsSync(join(folder, '.gatecheck-probe'))).toBe(false);
  });
});

it('writes an archive of the failures on request, and reports before the run if it cannot', () => {
  const file = join(root, 'run.har');
  assertFile(file, '--har');
  writeHar(sampleReport(), file);
  const { exchanges = [] } = readHar(readFileSync(file, 'utf8')) ?? {};
  expect(exchanges.map(({ exchange }) => exchange.response?.status)).toContain(400);
  expect(() => assertFile(root, '--har')).toThrow(UsageError);
});
