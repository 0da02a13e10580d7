import { describe, expect, it } from 'vitest';
import { type CheckChange, diffReports, renderDiff } from './diff.ts';
import { conformingReport, sampleReport } from './sample-report.ts';

const red = [
  'chat.temperature-range',
  'chat.tool-choice',
  'err.param-names-field',
  'lim.slot-freed',
  'sse.unbuffered',
  'sse.usage-last',
];

function ids(changes: readonly CheckChange[]): string[] {
  return changes.map((change) => change.id);
}

describe('diffReports', () => {
  it('finds nothing between a report and itself but what still fails', () => {
    const diff = diffReports(sampleReport(), sampleReport());
    expect(ids(diff.still_failing)).toEqual(red);
    const rest = [
      diff.newly_failing,
      diff.newly_passing,
      diff.no_longer_judged,
      diff.appeared,
      diff.disappeared,
    ];
    expect(rest.flat()).toEqual([]);
    expect(diff.caveats).toEqual([]);
  });

  it('tells newly failing from newly passing', () => {
    expect(ids(diffReports(conformingReport(), sampleReport()).newly_failing)).toEqual(red);
    expect(ids(diffReports(sampleReport(), conformingReport()).newly_passing)).toEqual(red);
  });

  it('lists checks that only one of the runs has, and a new failing one as newly failing too', () => {
    const before = sampleReport();
    before.checks = before.checks.filter((check) => check.id !== 'sse.unbuffered');
    const grown = diffReports(before, sampleReport());
    expect(ids(grown.appeared)).toEqual(['sse.unbuffered']);
    expect(ids(grown.newly_failing)).toEqual(['sse.unbuffered']);
    const shrunk = diffReports(sampleReport(), before);
    expect(ids(shrunk.disappeared)).toEqual(['sse.unbuffered']);
    expect(ids(shrunk.newly_passing)).toEqual([]);
  });

  it('does not call a failure gone when the check could not run any more', () => {
    const after = sampleReport();
    for (const check of after.checks) if (check.id === 'lim.slot-freed') check.verdict = 'untestable';
    const diff = diffReports(sampleReport(), after);
    expect(ids(diff.no_longer_judged)).toEqual(['lim.slot-freed']);
    expect(ids(diff.newly_passing)).toEqual([]);
  });

  it('warns when the runs are hard to compare', () => {
    const after = { ...sampleReport(), seed: 7, size: 'full' as const, stopped: 'interrupted' };
    expect(diffReports(sampleReport(), after).caveats).toEqual([
      'the seeds differ (20261121 and 7), so other cases were sent',
      'the sizes differ: quick and full',
      'the second run stopped early: interrupted',
    ]);
  });
});

describe('renderDiff', () => {
  it('shows the bad news first, each with what was violated', () => {
    const text = renderDiff(diffReports(conformingReport(), sampleReport()));
    expect(text.split('\n')[0]).toBe('Newly failing (6)');
    expect(text).toContain('  err.param-names-field: passed -> failed (param-names-field). ');
  });

  it('says so when nothing changed', () => {
    expect(renderDiff(diffReports(conformingReport(), conformingReport()))).toBe('No check changed.\n');
  });

  it('shows a failure that changed its aspect', () => {
    const after = sampleReport();
    const failure = after.checks.find((check) => check.id === 'lim.slot-freed')?.failure;
    if (failure !== undefined) failure.aspect = 'slot-freed-after-timeout';
    expect(renderDiff(diffReports(sampleReport(), after))).toContain(
      'failed (slot-freed-after-disconnect) -> failed (slot-freed-after-timeout)',
    );
  });
});
