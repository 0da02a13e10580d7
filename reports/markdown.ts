import { duration } from './durations.ts';
import { groupByMissingFacts, unlocks } from './missing-facts.ts';
import { outcomeOf, outcomeWords } from './outcome.ts';
import { clip, oneLine } from './plain-text.ts';
import type { CheckResult, Report } from './report.ts';
import { byUrgency, isRed, verdictWords } from './verdict-words.ts';

const longestValue = 300;
const mostFailures = 20;
const mostLines = 30;

/** A short summary for the page of a CI job: the result, the failures with their replay lines, what to unlock. */
export function renderMarkdown(report: Report): string {
  const { target, checks } = report;
  const sections = [
    `## Gatecheck: ${outcomeWords[outcomeOf(report)]}`,
    escapeText(report.headline),
    report.stopped === null ? '' : `**The run stopped early: ${escapeText(report.stopped)}**`,
    counts(report),
    `${escapeText(target.name)} at ${code(target.base_url)}, seed ${report.seed}, ${report.size}, ${duration(report.duration_ms)}, ${report.summary.cases} cases, ${report.summary.exchanges} exchanges. Repeat: ${code(report.command)}`,
    failures(checks.filter((check) => isRed(check.verdict))),
    list(
      'Warnings',
      checks.filter((check) => check.verdict === 'warn'),
    ),
    untestable(checks),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function counts({ summary }: Report): string {
  const cells = ['pass' as const, ...byUrgency.filter((verdict) => verdict !== 'pass')].map((verdict) => ({
    name: verdictWords[verdict].label,
    count: summary[verdictWords[verdict].count],
  }));
  const row = (values: readonly (string | number)[]): string => `| ${values.join(' | ')} |`;
  return [
    row(cells.map((cell) => cell.name)),
    row(cells.map(() => '--:')),
    row(cells.map((cell) => cell.count)),
  ].join('\n');
}

function failures(red: readonly CheckResult[]): string {
  if (red.length === 0) return '';
  const rest = red.length - mostFailures;
  return [
    '### Failures',
    ...red.slice(0, mostFailures).map(failure),
    ...(rest > 0 ? [`And ${rest} more in the report.`] : []),
  ].join('\n\n');
}

function failure({ failure: found, ...check }: CheckResult): string {
  if (found === undefined) {
    return `**${escapeText(check.id)}** ${escapeText(check.title)}\n- ${value(check.evidence.notes[0] ?? check.verdict)}`;
  }
  return [
    `**${escapeText(found.requirement)}** ${escapeText(found.statement)} (${escapeText(found.section)}; ${code(found.aspect)})`,
    `- expected: ${value(found.expected)}`,
    `- actual: ${value(found.actual)}`,
    `- replay: ${code(found.replay)}`,
  ].join('\n');
}

function list(title: string, checks: readonly CheckResult[]): string {
  if (checks.length === 0) return '';
  const rest = checks.length - mostLines;
  return [
    `### ${title}\n`,
    ...checks
      .slice(0, mostLines)
      .map(
        (check) =>
          `- ${code(check.id)} ${value(check.failure?.actual ?? check.evidence.notes[0] ?? check.title)}`,
      ),
    ...(rest > 0 ? [`- and ${rest} more in the report`] : []),
  ].join('\n');
}

function untestable(checks: readonly CheckResult[]): string {
  const groups = groupByMissingFacts(checks);
  if (groups.length === 0) return '';
  const lines = groups.map((group) =>
    group.facts.length === 0
      ? `- ${group.checks.length} that no fact would help`
      : `- give ${group.facts.map(code).join(' and ')} ${unlocks(group)}`,
  );
  return ['### Untestable\n', ...lines].join('\n');
}

function value(text: string): string {
  return escapeText(clip(text, longestValue));
}

/** Code that cannot end early: its fence is one longer than the longest run of backticks inside. */
function code(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

function escapeText(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]|~#!]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}
