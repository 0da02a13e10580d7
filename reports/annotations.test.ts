import { describe, expect, it } from 'vitest';
import { renderAnnotations } from './annotations.ts';
import { renderCodeQuality } from './code-quality.ts';
import type { Report } from './report.ts';
import { hostileReport } from './testing/hostile-report.ts';
import { sampleReport } from './testing/sample-report.ts';

const linesOf = (report: Report): string[] => renderAnnotations(report).trimEnd().split('\n');

/** A report in which this many checks fail for different reasons. */
function withFailures(count: number): Report {
  const report = sampleReport();
  const failed = report.checks.find(({ verdict }) => verdict === 'fail');
  if (failed?.failure === undefined) throw new Error('the sample has no failure');
  const { failure } = failed;
  return {
    ...report,
    checks: Array.from({ length: count }, (_, place) => ({
      ...failed,
      id: `c.${place}`,
      failure: { ...failure, aspect: `aspect-${place}` },
    })),
  };
}

describe('annotations', () => {
  it('are one line per cause, with rule, expectation and replay line', () => {
    const report = sampleReport();
    const lines = linesOf(report);
    expect(lines.length).toBeLessThan(report.summary.failed + report.summary.errors);
    for (const line of lines) expect(line).toMatch(/^::error title=[^:,]+::.+/);
    expect(lines[0]).toMatch(/%0Aexpected: .+%0Aactual: .+%0Areplay: npx gatecheck run/);
  });

  it('are limited to the number that GitHub shows', () => expect(linesOf(withFailures(30))).toHaveLength(10));

  it('are empty without failures', () => expect(renderAnnotations(withFailures(0))).toBe(''));

  it('inject no workflow command, whatever a deployment answers', () => {
    for (const line of linesOf(hostileReport('::error::x\r\n::set-output name=a::b, c: 100 %\u001b[31m')))
      expect(line.match(/^::error title=[^:,\r\n]*::/)).not.toBeNull();
  });
});

describe('code quality', () => {
  it('has a finding for each cause, placed at the profile, with a stable fingerprint', () => {
    const report = {
      ...withFailures(2),
      target: { name: 'g', base_url: 'http://g', profile: 'my-gateway.yaml' },
    };
    const findings = JSON.parse(renderCodeQuality(report)) as Record<string, unknown>[];
    expect(findings).toHaveLength(2);
    expect(findings[0]).toMatchObject({
      severity: 'major',
      location: { path: 'my-gateway.yaml', lines: { begin: 1 } },
    });
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(2);
    expect(JSON.parse(renderCodeQuality({ ...report, seed: 99 }))).toEqual(findings);
  });
});
