import { type Cause, causeCounts, elsewhereIn, groupByCause, nameOf, placesOf, sizeOf } from './causes.ts';
import { duration } from './durations.ts';
import { questionInWords } from './in-question.ts';
import { aimlessTitle, aroundFacts, groupByMissingFacts } from './missing-facts.ts';
import { outcomeOf, outcomeWords } from './outcome.ts';
import { clip, oneLine } from './plain-text.ts';
import { profilesInWords } from './profile-words.ts';
import type { CheckResult, Failure, Report, Verdict } from './report.ts';
import { byUrgency, isRed, verdictWords } from './verdict-words.ts';

const longestValue = 200;
/** The summary must fit a screen and a half in CI: maximum causes with all details, and maximum causes in a row. */
const mostDetailed = 3;
const mostRows = 20;
const mostOthers = 5;
const mostElsewhere = 3;
const longestCell = 120;

/** A short summary for the page of a CI job: the result, the causes of failures, worst first, and what would unlock more. */
export function renderMarkdown(report: Report): string {
  const { target, checks } = report;
  const profiles = profilesInWords(report);
  const causes = groupByCause(checks.filter((check) => isRed(check.verdict)));
  const sections = [
    `## Gatecheck: ${outcomeWords[outcomeOf(report)]}`,
    escapeText(report.headline),
    report.stopped === null ? '' : `**The run stopped early: ${escapeText(report.stopped)}**`,
    ...(report.notices ?? []).map((text) => `**Note: ${escapeText(clip(text, 2 * longestValue))}**`),
    counts(report),
    `${escapeText(target.name)} at ${code(target.base_url)}, seed ${report.seed}, ${report.size}, ${duration(report.duration_ms)}, ${report.summary.cases} cases, ${report.summary.exchanges} exchanges. Repeat: ${code(report.command)}`,
    profiles === '' ? '' : `Parts: ${profiles}`,
    causes.length === 0 ? '' : `### ${causeCounts(causes)}`,
    ...causes.slice(0, mostDetailed).map(failure),
    rows(causes.slice(mostDetailed)),
    listed('Flaky: failed once, and not again alone', checks, 'flaky'),
    listed('Warnings', checks, 'warn'),
    listed('Waived', checks, 'waived'),
    untestable(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function counts({ summary }: Report): string {
  const cells = ['pass' as const, ...byUrgency.filter((verdict) => verdict !== 'pass')].map((verdict) => ({
    name: verdictWords[verdict].label,
    count: summary[verdictWords[verdict].count],
  }));
  return [
    row(cells.map((cell) => cell.name)),
    row(cells.map(() => '--:')),
    row(cells.map((cell) => cell.count)),
  ].join('\n');
}

function row(values: readonly (string | number)[]): string {
  return `| ${values.join(' | ')} |`;
}

/** Causes beyond the first ones, one per row with the statement of its rule. */
function rows(causes: readonly Cause[]): string {
  if (causes.length === 0) return '';
  const shown = causes.slice(0, mostRows);
  const rest = causes.length - shown.length;
  return [
    row(['cause', 'rule', 'seen', 'checks']),
    row(['---', '---', '---', '--:']),
    ...shown.map((cause) => {
      const { failure: found, title, evidence } = cause.representative;
      const seen = found?.actual ?? evidence.notes[0] ?? '';
      return row([
        escapeText(clip(nameOf(cause), longestCell)),
        cell(found?.statement ?? title),
        cell(seen),
        sizeOf(cause),
      ]);
    }),
    ...(rest > 0 ? ['', `And ${rest} more ${rest === 1 ? 'cause' : 'causes'} in report.html.`] : []),
    '',
    'Repeat one: `npx gatecheck replay report.json "RULE ASPECT"`',
  ].join('\n');
}

function cell(text: string): string {
  return escapeText(clip(text, longestCell));
}

/** A cause with its request, the expected and actual result, and the line that repeats it. */
function failure(cause: Cause): string {
  const { failure: found, ...check } = cause.representative;
  const size = sizeOf(cause);
  const shown = size === 1 ? '' : `- ${size} checks; shown by ${code(check.id)}`;
  if (found === undefined || check.verdict !== 'fail') {
    const lines = [
      `**${escapeText(check.id)}** ${escapeText(check.title)}`,
      `- ${value(found?.actual ?? check.evidence.notes[0] ?? check.verdict)}`,
      found === undefined ? '' : `- replay: ${code(found.replay)}`,
    ];
    return [...lines, shown].filter((line) => line !== '').join('\n');
  }
  const places = placesOf(cause);
  return [
    `**${escapeText(found.requirement)}** ${escapeText(found.statement)} (${escapeText(found.section)}; ${code(found.aspect)})`,
    ...requestLines(found),
    `- expected: ${value(found.expected)}`,
    `- actual: ${value(found.actual)}`,
    places.length === 0 ? '' : `- seen in: ${escapeText(clip(places.join('; '), longestValue))}`,
    ...elsewhereIn(cause)
      .slice(0, mostElsewhere)
      .map(({ check: { failure }, seenIn }) => {
        const [expected, actual] = [failure?.expected ?? '', failure?.actual ?? ''];
        return `  - ${escapeText(seenIn ?? 'the same')}: expected ${value(expected)}; got ${value(actual)}`;
      }),
    shown,
    `- replay: ${code(found.replay)}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** The request, and the part of it that the failure is about. */
function requestLines(failure: Failure): string[] {
  const { exchange } = failure;
  const question = questionInWords(failure);
  const status = exchange?.response?.status ?? 'no answer';
  return [
    ...(exchange === null
      ? []
      : [`- request: ${code(`${exchange.request.method} ${exchange.request.url}`)} → ${status}`]),
    ...(question === null ? [] : [`- value: ${code(clip(question, longestValue))}`]),
  ];
}

function listed(heading: string, checks: readonly CheckResult[], verdict: Verdict): string {
  const own = checks.filter((check) => check.verdict === verdict);
  const causes = groupByCause(own);
  if (causes.length === 0) return '';
  const shown = causes.slice(0, mostOthers);
  const told = new Set(
    shown.flatMap(({ representative, others }) => [representative, ...others]).map(({ id }) => id),
  );
  const rest = own.length - told.size;
  return [
    `### ${heading} (${own.length})\n`,
    ...shown.map((cause) => {
      const { representative: check } = cause;
      const more = sizeOf(cause) === 1 ? '' : ` and ${sizeOf(cause) - 1} more:`;
      const why = check.waiver?.reason ?? check.failure?.actual ?? check.evidence.notes[0] ?? check.title;
      return `- ${code(check.id)}${more} ${value(why)}`;
    }),
    ...(rest > 0 ? [`- and ${rest} more in report.html`] : []),
  ].join('\n');
}

/** The checks that each fact would unlock; the HTML page has the lines to add. */
function untestable({ checks, summary }: Report): string {
  const groups = groupByMissingFacts(checks);
  if (groups.length === 0) return '';
  const rest = groups.length - mostOthers;
  return [
    `### Untestable (${summary.untestable})\n`,
    ...groups.slice(0, mostOthers).map((group) => {
      const [before, after] = aroundFacts(group);
      if (group.facts.length > 0)
        return `- ${before} ${group.facts.map(code).join(' and ')} ${after}`.trimEnd();
      const count = group.notRun === null ? `: ${group.checks.length}` : '';
      return `- ${escapeText(aimlessTitle(group))}${count}`;
    }),
    ...(rest > 0 ? [`- and ${rest} more groups: report.html has the lines to add for each`] : []),
  ].join('\n');
}

function value(text: string): string {
  return escapeText(clip(text, longestValue));
}

/**
 * A code block that its content cannot close: the fence is one longer than the longest run of backticks inside.
 */
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
