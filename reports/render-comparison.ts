import { type Comparison, type FoundFailure, isWorse, type Moved } from './comparison.ts';
import { duration } from './durations.ts';
import { clip, oneLine } from './plain-text.ts';
import type { Failure, Report } from './report.ts';
import { verdictWords } from './verdict-words.ts';

const longestValue = 200;
/** Maximum printed checks of a list. */
const maxListed = 30;

/** A comparison of two runs as text: regressions first, the result in the last line. */
export function renderComparison(comparison: Comparison, older: Report, newer: Report): string {
  const { regressions, changed, fixed, still, lost, gained, warnings, observations, slower } = comparison;
  const blocks = [
    [differences(older, newer)],
    failed('New failures', regressions),
    failed('Failing for another reason', changed),
    listed('No longer judged', lost, movedLine),
    listed('Other warnings', warnings, movedLine),
    listed('Fixed', fixed, movedLine),
    listed('Judged for the first time', gained, movedLine),
    listed(
      'Other observations',
      observations,
      ({ id, before, after }) =>
        `${id}: ${after.length === 0 ? `no longer ${shown(before.join('; '))}` : shown(after.join('; '))}`,
    ),
    listed(
      'Slower',
      slower,
      ({ id, beforeMs, afterMs }) => `${id}: ${duration(beforeMs)} before, ${duration(afterMs)} now`,
    ),
    [...(still.length === 0 ? [] : [`Failing as before: ${still.length}`]), headlineOf(comparison)],
  ];
  return `${blocks
    .map((lines) => lines.filter((line) => line !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The result in one line. */
export function headlineOf(comparison: Comparison): string {
  const { regressions, changed, fixed, lost } = comparison;
  const counts = [
    `${regressions.length} new`,
    `${changed.length} changed`,
    `${fixed.length} fixed`,
    `${lost.length} no longer judged`,
  ].join(', ');
  if (isWorse(comparison)) return `Worse than before: ${counts}.`;
  return lost.length > 0
    ? `No new failure, but less was judged: ${counts}.`
    : `Nothing got worse: ${counts}.`;
}

/** Differences between the two runs that may explain the changes. */
function differences(older: Report, newer: Report): string {
  const facts: [string, string, string][] = [
    ['target', older.target.base_url, newer.target.base_url],
    ['seed', String(older.seed), String(newer.seed)],
    ['size', older.size, newer.size],
    ['version', older.versions.gatecheck, newer.versions.gatecheck],
    ['stopped', older.stopped ?? 'no', newer.stopped ?? 'no'],
  ];
  const lines = facts.flatMap(([name, before, after]) =>
    before === after ? [] : [`${name}: ${oneLine(before)} before, ${oneLine(after)} now`],
  );
  return lines.length === 0 ? '' : `The runs differ themselves: ${lines.join('; ')}`;
}

/** One entry for each broken rule and aspect: the first check that shows it, and the ids of the others. */
function failed(title: string, found: readonly FoundFailure[]): string[] {
  const causes = Map.groupBy(found, ({ id, failure }) => (failure === null ? id : ruleOf(failure)));
  const [head = '', ...lines] = listed(title, [...causes.values()], ([first, ...others]) => {
    if (first === undefined) return '';
    const { id, failure } = first;
    if (failure === null) return `${id} (${was(first)})`;
    return [
      `${id} (${was(first)}): ${ruleOf(failure)}`,
      `expected ${shown(failure.expected)}`,
      `actual   ${shown(failure.actual)}`,
      oneLine(failure.replay),
      ...(others.length === 0
        ? []
        : [shown(`also in ${others.map((other) => idOf(other, first)).join(', ')}`)]),
    ].join('\n    ');
  });
  const isShorter = causes.size < found.length;
  return head === ''
    ? []
    : [isShorter ? `${title} (${found.length}, causes: ${causes.size})` : head, ...lines];
}

/** The id of a check, with what it was before where that differs from the first one. */
function idOf(found: FoundFailure, first: FoundFailure): string {
  return was(found) === was(first) ? found.id : `${found.id} (${was(found)})`;
}

function ruleOf({ requirement, aspect }: Failure): string {
  return oneLine(`${requirement} ${aspect}`);
}

function was({ before, isWaived }: FoundFailure): string {
  const label = before === null ? 'not run before' : `${verdictWords[before].label} before`;
  return isWaived ? `${label}, waived now` : label;
}

function movedLine({ id, before, after, reason }: Moved): string {
  const now = after === null ? 'gone' : verdictWords[after].label;
  return `${id}: ${verdictWords[before].label} before, ${now} now${reason === '' ? '' : ` (${shown(reason)})`}`;
}

function listed<T>(title: string, items: readonly T[], lineOf: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const rest = items.length - maxListed;
  return [
    `${title} (${items.length})`,
    ...items.slice(0, maxListed).map((item) => `  ${lineOf(item)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function shown(text: string): string {
  return clip(oneLine(text), longestValue);
}
