import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { hostileReport, hostileTexts } from './testing/hostile-report.ts';
import { conformingReport, emptyReport, sampleReport } from './testing/sample-report.ts';

describe('renderMarkdown', () => {
  it('starts with the result and the headline', () => {
    const [title, , headline] = renderMarkdown(sampleReport()).split('\n');
    expect(title).toBe('## Gatecheck: Not conforming');
    expect(headline).toBe(sampleReport().headline);
  });

  it('lists each cause with expected, actual and a replay line', () => {
    const text = renderMarkdown(sampleReport());
    expect(text.match(/^- expected: /gm)).toHaveLength(3);
    expect(text).toContain('- actual: 400 invalid\\_param with error.param null');
    expect(text).toContain(
      '- replay: `npx gatecheck run --target deployment.yaml --only sse.unbuffered --seed 20261121`',
    );
  });

  it('has tables whose rows all have the same number of cells', () => {
    const rows = renderMarkdown(sampleReport())
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.map((row) => row.split('|').length)).toEqual([11, 11, 11, 6, 6, 6]);
  });

  it('states what to declare to run untestable checks', () => {
    expect(renderMarkdown(sampleReport())).toContain('- declare `keys.disabled` to run 1 more check');
  });

  it('leaves out sections that would be empty', () => {
    expect(renderMarkdown(conformingReport())).not.toContain('###');
    expect(renderMarkdown(emptyReport())).toContain(
      '**The run stopped early: unreachable: connect ECONNREFUSED**',
    );
  });

  it('counts causes, and the checks that failed by each', () => {
    const text = renderMarkdown(sampleReport());
    expect(text).toContain('### 3 causes in 5 failed checks, 1 cause in 1 error');
    expect(text).toContain('- 3 checks; shown by `err.param-names-field`');
  });

  it('fits a screen and a half if a hundred checks fail for different reasons', () => {
    const report = sampleReport();
    const failed = report.checks.find((check) => check.verdict === 'fail');
    if (failed?.failure === undefined) throw new Error('the sample has no failure');
    const { failure } = failed;
    const checks = Array.from({ length: 100 }, (_, index) => ({
      ...failed,
      id: `${failed.id}.${index}`,
      failure: { ...failure, aspect: `aspect-${index}` },
    }));
    const text = renderMarkdown({ ...report, checks: [...report.checks, ...checks] });
    expect(text.split('\n').length).toBeLessThan(90);
    expect(text.match(/^\| ERR-024 aspect-\d+ \|/gm)?.length).toBeGreaterThan(15);
    expect(text).toMatch(/And \d+ more causes in report.html./);
  });

  it.each(hostileTexts)('escapes markup in %s', (_name, text) => {
    const outsideCode = renderMarkdown(hostileReport(text)).replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '');
    expect(outsideCode).not.toMatch(/<[a-z/!]/i);
    expect(outsideCode).not.toMatch(/[^\\]\]\(/);
    expect(outsideCode).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
