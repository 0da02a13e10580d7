import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderHtml } from 'gatecheck-reports/html';
import type { Report } from 'gatecheck-reports/report';
import { conformingReport, sampleReport } from 'gatecheck-reports/testing/sample-report';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UsageError } from '../process/exit-codes.ts';
import { openHistory, withHistory } from './history.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-history-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (day: number, report: Report = sampleReport()): Report => ({
  ...report,
  started_at: `2026-11-${day}T14:53:04.118Z`,
});

it('writes a small file for each run, and shows the runs of the same target in order', () => {
  withHistory(at(22), folder);
  withHistory(at(21, conformingReport()), folder);
  withHistory({ ...at(23), target: { ...sampleReport().target, name: 'another' } }, folder);
  const { trend = [], notices } = withHistory(at(24, conformingReport()), folder);
  expect(trend.map(({ started_at: day, failed }) => [day.slice(8, 10), failed])).toEqual([
    ['21', 0],
    ['22', 5],
    ['24', 0],
  ]);
  expect(trend.map((run) => run.new.length)).toEqual([0, 3, 0]);
  expect(trend.at(-1)?.fixed).toEqual(trend[1]?.new);
  expect(notices).toBeUndefined();
  const files = readdirSync(folder);
  expect(files).toHaveLength(4);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text.length).toBeLessThan(20_000);
    expect(text).not.toMatch(/https?:|Bearer|GATECHECK_KEY/);
  }
});

it('names a file that cannot be read, leaves it unchanged, and loses nothing', () => {
  withHistory(at(21), folder);
  const [name = ''] = readdirSync(folder);
  const broken = join(folder, name.replace('-21T', '-20T'));
  writeFileSync(broken, '{"schema":"gatecheck.his');
  writeFileSync(join(folder, 'notes.json'), 'of somebody else');
  const { trend, notices } = withHistory(at(22), folder);
  expect(trend).toHaveLength(2);
  expect(notices).toEqual([expect.stringContaining('-20T14-53-04-118Z-20261121.json is no summary')]);
  expect(readFileSync(broken, 'utf8')).toBe('{"schema":"gatecheck.his');
  expect(readdirSync(folder)).toHaveLength(4);
});

it('shows the changes on the page', () => {
  withHistory(at(21, conformingReport()), folder);
  const report = withHistory(at(22), folder);
  expect(renderHtml(report)).toMatch(/3 new: <span class="id">\w+-\d+, /);
});

it('shows the last twenty runs', () => {
  for (let day = 10; day < 31; day += 1) withHistory(at(day), folder);
  const { trend = [] } = withHistory({ ...at(30), started_at: '2026-12-01T00:00:00.000Z' }, folder);
  expect([trend.length, trend[0]?.started_at.slice(8, 10)]).toEqual([20, '12']);
});

it('rejects a part of a run, and a folder that is a file', () => {
  expect(() => openHistory(folder, { part: 1, of: 2 })).toThrow(UsageError);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => openHistory(file, null)).toThrow(UsageError);
});
