import { expect, it } from 'vitest';
import { renderConsole } from './console.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import type { Report } from './report.ts';
import { sampleReport } from './testing/sample-report.ts';

/** A report in which one check found the same rule broken differently in another place. */
function seenTwice(): Report {
  const report = sampleReport();
  const check = report.checks.find(({ id }) => id === 'err.param-names-field');
  if (check?.failure === undefined) throw new Error('the sample has no such failure');
  check.also = [{ ...structuredClone(check.failure), seen_in: 'compat-a, beta', actual: 'HTTP 418' }];
  check.failure.seen_in = 'core, alpha';
  return report;
}

it.each([
  ['console', renderConsole(seenTwice(), { color: false, width: 200 }), 'in compat-a, beta: expected'],
  ['page', renderHtml(seenTwice()), '<h4>Seen in compat-a, beta, too</h4>'],
  ['summary', renderMarkdown(seenTwice()), '  - compat-a, beta: expected'],
  ['JUnit file', renderJunit(seenTwice()), 'seen in:  compat-a, beta'],
])('tells in the %s what a check saw elsewhere, and counts it once', (_name, text, words) => {
  expect(text).toContain(words);
  expect(text).toContain('HTTP 418');
  expect(text).not.toContain('4 checks fail for this');
});
