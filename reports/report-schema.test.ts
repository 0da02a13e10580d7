import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Report } from './report.ts';
import { reportSchema } from './report-schema.ts';
import { runSummaryOf } from './run-summary.ts';
import { hostileReport, hostileTexts } from './testing/hostile-report.ts';
import { conformingReport, emptyReport, sampleReport } from './testing/sample-report.ts';
import { trendOf } from './trend.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
const validate = ajv.compile<Report>(reportSchema);

/** Paths of schema errors in a sample changed in one place. */
function faultsAfter(change: (report: Report) => void): string[] {
  const report = sampleReport();
  change(report);
  validate(JSON.parse(JSON.stringify(report)));
  return (validate.errors ?? []).map((error) => error.instancePath);
}

/** A value of the wrong type or outside its set, past the compiler. */
function wrong<T>(value: unknown): T {
  return value as T;
}

describe('report schema', () => {
  it.each([
    ['with every verdict', sampleReport()],
    ['without a check', emptyReport()],
    ['without a failure', conformingReport()],
    ['with the last runs', { ...sampleReport(), trend: trendOf([runSummaryOf(sampleReport())]) }],
  ])('accepts a report %s', (_name, report) => {
    validate(JSON.parse(JSON.stringify(report)));
    expect(validate.errors).toBeNull();
  });

  it.each(hostileTexts)('accepts hostile text in every text member: %s', (_name, text) => {
    validate(hostileReport(text));
    expect(validate.errors).toBeNull();
  });

  it('rejects an unknown member', () => {
    expect(faultsAfter((report) => Object.assign(report, { extra: 1 }))).toContain('');
    expect(faultsAfter((report) => Object.assign(report.checks[0] ?? {}, { extra: 1 }))).toContain(
      '/checks/0',
    );
  });

  it.each(Object.keys(sampleReport()))('refuses a report without %s', (member) => {
    expect(faultsAfter((report) => Reflect.deleteProperty(report, member))).toContain('');
  });

  it.each<[string, string, (report: Report) => void]>([
    ['another schema', '/schema', (report) => Object.assign(report, { schema: 'gatecheck.report/1' })],
    [
      'an unknown verdict',
      '/checks/0/verdict',
      ({ checks }) => Object.assign(checks[0] ?? {}, { verdict: 'ok' }),
    ],
    [
      'an unknown level',
      '/checks/0/level',
      ({ checks }) => Object.assign(checks[0] ?? {}, { level: 'must' }),
    ],
    ['an unknown size', '/size', (report) => Object.assign(report, { size: 'medium' })],
    [
      'a local time',
      '/started_at',
      (report) => Object.assign(report, { started_at: '2026-11-21T14:53:04+01:00' }),
    ],
    ['a negative duration', '/duration_ms', (report) => Object.assign(report, { duration_ms: -1 })],
    ['a fractional seed', '/seed', (report) => Object.assign(report, { seed: 1.5 })],
    ['a count in words', '/summary/passed', ({ summary }) => Object.assign(summary, { passed: wrong('26') })],
    ['an exit code above 255', '/exit_code', (report) => Object.assign(report, { exit_code: 256 })],
  ])('refuses %s', (_name, path, change) => {
    expect(faultsAfter(change)).toEqual([path]);
  });

  it('rejects a failed check without a reason', () => {
    const failed = sampleReport().checks.findIndex((check) => check.verdict === 'fail');
    expect(faultsAfter(({ checks }) => Reflect.deleteProperty(checks[failed] ?? {}, 'failure'))).toContain(
      `/checks/${failed}`,
    );
  });

  it('rejects a waived check without its waiver', () => {
    const waived = sampleReport().checks.findIndex((check) => check.verdict === 'waived');
    expect(faultsAfter(({ checks }) => Reflect.deleteProperty(checks[waived] ?? {}, 'waiver'))).toContain(
      `/checks/${waived}`,
    );
  });

  it('rejects a header that is not a pair', () => {
    const failed = sampleReport().checks.findIndex((check) => check.failure?.exchange);
    const path = `/checks/${failed}/failure/exchange/request/headers/0`;
    const cut = ({ checks }: Report): void => {
      checks[failed]?.failure?.exchange?.request.headers.splice(0, 1, wrong(['accept']));
    };
    expect(faultsAfter(cut)).toContain(path);
  });
});
