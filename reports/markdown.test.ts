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

  it('has a table of three rows that all have the same number of cells', () => {
    const rows = renderMarkdown(sampleReport())
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.map((row) => row.split('|').length)).toEqual([11, 11, 11]);
  });

  it('says what to give to unlock untestable checks', () => {
    expect(renderMarkdown(sampleReport())).toContain('- give `keys.disabled` to unlock 1 check');
  });

  it('leaves out sections that would be empty', () => {
    expect(renderMarkdown(conformingReport())).not.toContain('###');
    expect(renderMarkdown(emptyReport())).toContain(
      '**The run stopped early: unreachable: connect ECONNREFUSED**',
    );
  });

  it('counts causes, and lists under each the other checks that it turned red', () => {
    const text = renderMarkdown(sampleReport());
    expect(text).toContain('### 3 causes in 5 failed checks, 1 cause in 1 error');
    expect(text).toContain(
      [
        '- turned 3 checks red, shown by `err.param-names-field`; also `chat.temperature-range`',
        '  - `chat.tool-choice`: 400 invalid\\_param with error.param "tools"',
      ].join('\n'),
    );
  });

  it('stays short when everything fails for a reason of its own', () => {
    const report = sampleReport();
    const failure = report.checks.find((check) => check.verdict === 'fail')?.failure;
    report.checks.forEach((check, index) => {
      Object.assign(check, { verdict: 'fail', failure: { ...failure, aspect: `aspect-${index}` } });
    });
    const text = renderMarkdown(report);
    expect(text.match(/^- expected: /gm)).toHaveLength(20);
    expect(text).toContain('And 21 more causes in the report.');
  });

  it('stays short when everything fails for one reason', () => {
    const report = sampleReport();
    const failure = report.checks.find((check) => check.id === 'err.param-names-field')?.failure;
    for (const check of report.checks) Object.assign(check, { verdict: 'fail', failure });
    const text = renderMarkdown(report);
    expect(text.match(/^- expected: /gm)).toHaveLength(1);
    expect(text).toMatch(/^- turned 41 checks red, .*; 30 more$/m);
  });

  it.each(hostileTexts)('leaves no markup of its own to %s', (_name, text) => {
    const outsideCode = renderMarkdown(hostileReport(text)).replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '');
    expect(outsideCode).not.toMatch(/<[a-z/!]/i);
    expect(outsideCode).not.toMatch(/[^\\]\]\(/);
    expect(outsideCode).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
