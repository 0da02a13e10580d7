import { type Cause, causeCounts, groupByCause, sizeOf } from './causes.ts';
import { causeBlock } from './console/cause-block.ts';
import { type Paint, painter, type Style } from './console/paint.ts';
import { duration } from './durations.ts';
import { aimlessTitle, aroundFacts, groupByMissingFacts } from './missing-facts.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { oneLine } from './plain-text.ts';
import { profileLines } from './profile-lines.ts';
import { profilesInWords } from './profile-words.ts';
import type { CheckResult, NotCovered, Report, Spent } from './report.ts';
import { byUrgency, counted, isRed, needsAttention, verdictWords } from './verdict-words.ts';
import { wrap } from './wrap.ts';

const labelWidth = 12;
const andList = new Intl.ListFormat('en');
const maxNamed = 5;
/** Maximum listed groups of missing facts, and groups for which profile lines are shown. */
const maxGroups = 12;
const maxWithLines = 4;

/**
 * The final text of a run on the terminal: failures in full, then one line for each other check that matters. The
 * result comes last, where the reader looks first. The caller adds the paths of the written reports.
 *
 * @param options `width` in columns; `color` adds SGR sequences, nothing else does
 */
export function renderConsole(report: Report, options: { color: boolean; width: number }): string {
  const paint = painter(options.color);
  const width = Math.min(Math.max(options.width, 40), 120);
  const causes = groupByCause(report.checks.filter((check) => isRed(check.verdict)));
  const blocks = [
    ...causes.map((cause) => causeBlock(cause, paint, width)),
    notes(report.checks, paint, width),
    untestable(report, paint, width),
    notCovered(report.not_covered, paint, width),
    ending(report, causes, paint, width),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function notes(checks: readonly CheckResult[], paint: Paint, width: number): string[] {
  const shown = checks.filter(({ verdict }) => needsAttention(verdict));
  return groupByCause(shown)
    .sort((a, b) => urgency(a.representative) - urgency(b.representative))
    .map((cause) => {
      const { representative: check } = cause;
      const others = sizeOf(cause) - 1;
      const word = verdictWords[check.verdict].label.padEnd(labelWidth);
      const why = check.waiver?.reason ?? check.failure?.actual ?? check.evidence.notes[0] ?? check.title;
      const more = others === 0 ? '' : ` and ${others} more`;
      const line = `${oneLine(check.id)}${more}: ${oneLine(why)}`;
      return (
        paint(['flaky', 'warn'].includes(check.verdict) ? 'yellow' : 'blue', word) +
        shorten(line, width - labelWidth)
      );
    });
}

function urgency({ verdict }: CheckResult): number {
  return byUrgency.indexOf(verdict);
}

/** The facts that would unlock most, with the profile lines for the first ones; a profile may lack dozens. */
function untestable({ checks, missing_facts: known }: Report, paint: Paint, width: number): string[] {
  const label = paint('blue', 'untestable'.padEnd(labelWidth));
  const groups = groupByMissingFacts(checks);
  const [open, aimless] = [
    groups.filter(({ facts }) => facts.length > 0),
    groups.filter(({ facts }) => facts.length === 0),
  ];
  const shown = [...open.slice(0, maxGroups), ...aimless];
  const rest = open.slice(maxGroups);
  const lines = shown.flatMap((group, place) => {
    const [before, after] = aroundFacts(group);
    const facts = andList.format(group.facts.map((fact) => oneLine(fact)));
    const ids = group.checks.map((check) => oneLine(check.id)).join(', ');
    const lead = facts === '' ? oneLine(aimlessTitle(group)) : `${before} ${facts} ${after}`.trimEnd();
    const yaml = place < maxWithLines ? profileLines(group, known) : [];
    return [
      label + shorten(`${lead}: ${ids}`, width - labelWidth),
      ...yaml.map((line) => `${' '.repeat(labelWidth + 2)}${line}`),
    ];
  });
  const left = rest.reduce((sum, group) => sum + group.checks.length, 0);
  const more = `${left === 1 ? '1 more check lacks' : `${left} more checks lack`} other facts: report.html lists them with the lines to add`;
  return rest.length === 0 ? lines : [...lines, label + more];
}

/** The requirements of the selected areas that no check covers, so that no rule seems tested without a check. */
function notCovered(rows: readonly NotCovered[], paint: Paint, width: number): string[] {
  const groups = [
    { why: 'no check yet', ids: idsOf(rows.filter((row) => row.not_checked === null)) },
    { why: 'cannot be observed over HTTP', ids: idsOf(rows.filter((row) => row.not_checked !== null)) },
  ];
  return groups.flatMap(({ why, ids }) => {
    if (ids.length === 0) return [];
    const line = oneLine(`${why} (${ids.length}): ${ids.join(', ')}`);
    return `${paint('blue', 'not covered'.padEnd(labelWidth))}${shorten(line, width - labelWidth)}`;
  });
}

function idsOf(rows: readonly NotCovered[]): string[] {
  return rows.map(({ id }) => id);
}

function ending(report: Report, causes: readonly Cause[], paint: Paint, width: number): string[] {
  const { summary } = report;
  const counts = (['pass', ...byUrgency.filter((verdict) => verdict !== 'pass')] as const)
    .filter((verdict) => verdict === 'pass' || summary[verdictWords[verdict].count] > 0)
    .map((verdict) => counted(verdict, summary[verdictWords[verdict].count]));
  const result = report.checks.length === 0 ? 'no check ran' : counts.join(', ');
  const work = `${summary.cases} cases, ${summary.exchanges} exchanges, ${duration(report.duration_ms)}, seed ${report.seed}`;
  const stopped =
    report.stopped === null || report.headline.includes(report.stopped)
      ? []
      : [paint('yellow', `stopped early: ${oneLine(report.stopped)}`)];
  const style = styleOf(outcomeOf(report));
  const profiles = profilesInWords(report);
  return [
    ...stopped,
    ...(report.notices ?? []).flatMap((text) =>
      wrap(oneLine(`note: ${text}`), width).map((line) => paint('yellow', line)),
    ),
    ...(profiles === '' ? [] : wrap(`parts: ${profiles}`, width)),
    ...wrap(overview(causes), width).filter((line) => line !== ''),
    ...(report.spent === undefined ? [] : [sentInWords(report.spent)]),
    ...wrap(oneLine(report.headline), width).map((line) => paint(style, line)),
    `${result} (${work})`,
  ];
}

function sentInWords({ exchanges, paid, tokens, usd, is_simulated: isSimulated }: Spent): string {
  // The report has every digit.
  const dollars = Number(usd ?? 0).toFixed(Number(usd ?? 0) < 1 ? 4 : 2);
  const money = usd === null ? '' : `, $${dollars}${isSimulated ? ' (simulated)' : ''}`;
  return `paid: ${paid} of ${exchanges} requests, ${tokens} tokens${money}`;
}

/** '3 causes in 17 failed checks: ERR-024 param-names-field (13), …', in the same order as the blocks above. */
function overview(causes: readonly Cause[]): string {
  if (causes.length === 0) return '';
  const named = causes.slice(0, maxNamed).map((cause) => {
    const { verdict, failure, id } = cause.representative;
    const name = verdict === 'fail' && failure ? `${failure.requirement} ${failure.aspect}` : id;
    return `${oneLine(name)} (${sizeOf(cause)})`;
  });
  const rest = causes.length - named.length;
  return `${causeCounts(causes)}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function styleOf(outcome: Outcome): Style {
  if (outcome === 'conforming') return 'green';
  return outcome === 'failures' ? 'red' : 'yellow';
}

function shorten(line: string, width: number): string {
  const points = [...line];
  return points.length <= width ? line : `${points.slice(0, Math.max(width - 1, 1)).join('')}…`;
}
