import {
  type Cause,
  causeCounts,
  companionsOf,
  elsewhereIn,
  groupByCause,
  placesOf,
  sizeOf,
} from './causes.ts';
import { duration } from './durations.ts';
import { questionInWords } from './in-question.ts';
import { aimlessTitle, groupByMissingFacts, unlocks } from './missing-facts.ts';
import { outcomeOf, outcomeWords } from './outcome.ts';
import { clip, oneLine } from './plain-text.ts';
import { profileLines } from './profile-lines.ts';
import { profilesInWords } from './profile-words.ts';
import type { CheckResult, Failure, Report, Verdict } from './report.ts';
import { byUrgency, isRed, verdictWords } from './verdict-words.ts';

const longestValue = 300;
const maxCauses = 20;
const maxOthers = 10;
const maxLines = 30;

/**
 * A short summary for the page of a CI job: the result, the failures with their replay lines, the missing facts.
 */
export function renderMarkdown(report: Report): string {
  const { target, checks } = report;
  const profiles = profilesInWords(report);
  const sections = [
    `## Gatecheck: ${outcomeWords[outcomeOf(report)]}`,
    escapeText(report.headline),
    report.stopped === null ? '' : `**The run stopped early: ${escapeText(report.stopped)}**`,
    ...(report.notices ?? []).map((text) => `**Note: ${escapeText(text)}**`),
    counts(report),
    `${escapeText(target.name)} at ${code(target.base_url)}, seed ${report.seed}, ${report.size}, ${duration(report.duration_ms)}, ${report.summary.cases} cases, ${report.summary.exchanges} exchanges. Repeat: ${code(report.command)}`,
    profiles === '' ? '' : `Profiles: ${profiles}`,
    failures(groupByCause(checks.filter((check) => isRed(check.verdict)))),
    listed('Flaky: failed once, and not again alone', checks, 'flaky'),
    listed('Warnings', checks, 'warn'),
    untestable(report),
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

function failures(causes: readonly Cause[]): string {
  if (causes.length === 0) return '';
  const rest = causes.length - maxCauses;
  return [
    `### ${causeCounts(causes)}`,
    ...causes.slice(0, maxCauses).map(failure),
    ...(rest > 0 ? [`And ${rest} more ${rest === 1 ? 'cause' : 'causes'} in the report.`] : []),
  ].join('\n\n');
}

function failure(cause: Cause): string {
  const { failure: found, ...check } = cause.representative;
  if (found === undefined || check.verdict !== 'fail') {
    const lines = [
      `**${escapeText(check.id)}** ${escapeText(check.title)}`,
      `- ${value(found?.actual ?? check.evidence.notes[0] ?? check.verdict)}`,
      ...(found === undefined ? [] : [`- replay: ${code(found.replay)}`]),
    ];
    return [...lines, ...others(cause)].join('\n');
  }
  return [
    `**${escapeText(found.requirement)}** ${escapeText(found.statement)} (${escapeText(found.section)}; ${code(found.aspect)})`,
    ...requestLines(found),
    `- expected: ${value(found.expected)}`,
    `- actual: ${value(found.actual)}`,
    `- replay: ${code(found.replay)}`,
    ...places(cause),
    ...others(cause),
  ].join('\n');
}

/** Where a cause was seen, and what the same check saw elsewhere. */
function places(cause: Cause): string[] {
  const all = placesOf(cause);
  if (all.length === 0) return [];
  return [
    `- seen in: ${escapeText(all.join('; '))}`,
    ...elsewhereIn(cause).map(
      ({ check: { failure }, seenIn }) =>
        `  - ${escapeText(seenIn ?? 'the same')}: expected ${value(failure?.expected ?? '')}; got ${value(failure?.actual ?? '')}`,
    ),
  ];
}

/** Which request it was, and what in it the failure is about. */
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

/** The other checks of a cause: on one line when their messages are the same, otherwise one line each. */
function others(cause: Cause): string[] {
  const all = companionsOf(cause);
  if (all.length === 0) return [];
  const shown = all.slice(0, maxOthers);
  const rest = all.length - shown.length;
  const alike = shown.filter(({ actual, replay }) => actual === null && replay === null);
  const names = alike.map(({ check }) => code(check.id)).join(', ');
  const size = sizeOf(cause);
  const lead = cause.representative.verdict === 'fail' ? `turned ${size} checks red` : `broke ${size} checks`;
  const also = names === '' ? '' : `; also ${names}`;
  const more = rest > 0 ? `; ${rest} more` : '';
  return [
    `- ${lead}, shown by ${code(cause.representative.id)}${also}${more}`,
    ...shown
      .filter((other) => !alike.includes(other))
      .map(({ check, actual, replay }) => {
        const parts = [actual === null ? '' : value(actual), replay === null ? '' : `replay ${code(replay)}`];
        return `  - ${code(check.id)}: ${parts.filter((part) => part !== '').join('; ')}`;
      }),
  ];
}

function listed(heading: string, checks: readonly CheckResult[], verdict: Verdict): string {
  const causes = groupByCause(checks.filter((check) => check.verdict === verdict));
  if (causes.length === 0) return '';
  const rest = causes.length - maxLines;
  return [
    `### ${heading}\n`,
    ...causes.slice(0, maxLines).map(({ representative: check, others: same }) => {
      const more = same.length === 0 ? '' : ` and ${same.length} more:`;
      return `- ${code(check.id)}${more} ${value(check.failure?.actual ?? check.evidence.notes[0] ?? check.title)}`;
    }),
    ...(rest > 0 ? [`- and ${rest} more in the report`] : []),
  ].join('\n');
}

/** What each fact would unlock, with the lines of a profile that declare it. */
function untestable({ checks, missing_facts: known }: Report): string {
  const groups = groupByMissingFacts(checks);
  if (groups.length === 0) return '';
  const lines = groups.flatMap((group) => {
    if (group.facts.length === 0)
      return [
        `- ${escapeText(aimlessTitle(group))}${group.notRun === null ? `: ${group.checks.length}` : ''}`,
      ];
    const yaml = profileLines(group, known);
    return [
      `- give ${group.facts.map(code).join(' and ')} ${unlocks(group)}`,
      ...(yaml.length === 0 ? [] : ['', '  ```yaml', ...yaml.map((line) => `  ${line}`), '  ```', '']),
    ];
  });
  return ['### Untestable\n', ...lines].join('\n');
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
