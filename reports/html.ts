import { attention, untestable } from './html/attention.ts';
import { checkList } from './html/check-list.ts';
import { failures } from './html/failure-card.ts';
import { filter } from './html/filter.ts';
import { header, tiles } from './html/header.ts';
import { html, type Markup, trusted } from './html/markup.ts';
import { matrix } from './html/matrix.ts';
import { pageHead } from './html/page-head.ts';
import { notCovered, requirements } from './html/register.ts';
import { script, scriptHash } from './html/script.ts';
import { trend } from './html/trend.ts';
import { type Matrix, matrixOf } from './matrix.ts';
import type { Report } from './report.ts';

/**
 * The report as one self-contained page: it loads nothing, opens from disk, and is readable without scripts.
 * Failures come first, then checks that need attention, then everything.
 */
export function renderHtml(report: Report): string {
  const rules = matrixOf(report);
  return `<!doctype html>\n${html`<html lang="en">
${pageHead({ title: titleOf(report), script: scriptHash })}
<body>
<a class="skip" href="#failures">To the failures</a>
${header(report)}
${navigation(report, rules)}
<main>
${tiles(report)}
${filter(report)}
${failures(report.checks)}
${attention(report.checks)}
${untestable(report)}
${trend(report)}
${checkList(report.checks)}
${matrix(rules)}
${requirements(report.requirements)}
${notCovered(report.not_covered)}
<footer>Gatecheck ${report.versions.gatecheck}, Node ${report.versions.node}, fast-check ${report.versions.fast_check}. The same facts are in report.json. Keys are replaced by $GATECHECK_KEY.</footer>
</main>
<script>${trusted(script)}</script>
</body>
</html>
`}`;
}

function titleOf(report: Report): string {
  const { failed, errors, passed } = report.summary;
  const result = failed + errors > 0 ? `${failed + errors} failed` : `${passed} passed`;
  return `${result}: ${report.target.name}, Gatecheck`;
}

function navigation(
  { summary, checks, requirements: rows, not_covered, trend: runs = [] }: Report,
  { places }: Matrix,
): Markup {
  const links: [id: string, name: string, count: number][] = [
    ['failures', 'Failures', summary.failed + summary.errors],
    ['warnings', 'Warnings', summary.flaky + summary.warned + summary.observed + summary.waived],
    ['untestable', 'Untestable', summary.untestable],
    ['trend', 'Last runs', runs.length],
    ['checks', 'All checks', checks.length],
    ['matrix', 'By endpoint', places.length],
    ['requirements', 'Requirements', rows.length],
    ['not-covered', 'Not covered', not_covered.length],
  ];
  const shown = links.filter(([id, , count]) => count > 0 || id === 'failures');
  return html`<nav class="bar" aria-label="Parts of this report"><div><ul>${shown.map(
    ([id, name, count]) => html`<li><a href="#${id}">${name} <span>${count}</span></a></li>`,
  )}</ul></div></nav>`;
}
