import { oneLine } from './plain-text.ts';
import type { CheckResult, Report, Verdict } from './report.ts';
import { isRed, verdictWords } from './verdict-words.ts';

/** A check in two runs; a side is null when that run lacks the check. */
export interface CheckChange {
  id: string;
  title: string;
  before: Verdict | null;
  after: Verdict | null;
  /** The violated aspect before and after; null when there was none. */
  aspects: [before: string | null, after: string | null];
}

/**
 * The changes between two runs. 'Failing' means failed or broken (`fail`, `harness-error`). Lists are sorted by
 * id.
 */
export interface ReportDiff {
  /** Failing now but not before, new checks included. */
  newly_failing: CheckChange[];
  /** Failing before, and passed now. */
  newly_passing: CheckChange[];
  still_failing: CheckChange[];
  /** Failing before, and now neither failing nor passed: the failure is hidden, not fixed. */
  no_longer_judged: CheckChange[];
  appeared: CheckChange[];
  disappeared: CheckChange[];
  /** Why the two runs are hard to compare: another seed, size or target, or an interrupted run. */
  caveats: string[];
}

/** Compares two runs check by check. */
export function diffReports(before: Report, after: Report): ReportDiff {
  const changes = pair(before.checks, after.checks);
  const was = (change: CheckChange): boolean => change.before !== null && isRed(change.before);
  const is = (change: CheckChange): boolean => change.after !== null && isRed(change.after);
  return {
    newly_failing: changes.filter((change) => is(change) && !was(change)),
    newly_passing: changes.filter((change) => was(change) && change.after === 'pass'),
    still_failing: changes.filter((change) => was(change) && is(change)),
    no_longer_judged: changes.filter(
      (change) => was(change) && !is(change) && change.after !== null && change.after !== 'pass',
    ),
    appeared: changes.filter((change) => change.before === null),
    disappeared: changes.filter((change) => change.after === null),
    caveats: caveats(before, after),
  };
}

/** The comparison as plain text, new failures first. */
export function renderDiff(diff: ReportDiff): string {
  const sections = [
    section('Newly failing', diff.newly_failing),
    section('Still failing', diff.still_failing),
    section('No longer judged', diff.no_longer_judged),
    section('Newly passing', diff.newly_passing),
    section('Appeared', diff.appeared),
    section('Disappeared', diff.disappeared),
  ].filter((text) => text !== '');
  const notes = diff.caveats.map((caveat) => `note: ${caveat}`).join('\n');
  const body = sections.length === 0 ? 'No check changed.' : sections.join('\n\n');
  return `${notes === '' ? body : `${notes}\n\n${body}`}\n`;
}

function pair(before: readonly CheckResult[], after: readonly CheckResult[]): CheckChange[] {
  const old = new Map(before.map((check) => [check.id, check]));
  const now = new Map(after.map((check) => [check.id, check]));
  return [...new Set([...old.keys(), ...now.keys()])].sort().map((id) => {
    const [left, right] = [old.get(id), now.get(id)];
    return {
      id,
      title: right?.title ?? left?.title ?? '',
      before: left?.verdict ?? null,
      after: right?.verdict ?? null,
      aspects: [left?.failure?.aspect ?? null, right?.failure?.aspect ?? null],
    };
  });
}

function caveats(before: Report, after: Report): string[] {
  const found: string[] = [];
  if (before.target.base_url !== after.target.base_url) {
    found.push(
      `the targets differ: ${oneLine(before.target.base_url)} and ${oneLine(after.target.base_url)}`,
    );
  }
  if (before.seed !== after.seed) {
    found.push(`the seeds differ (${before.seed} and ${after.seed}), so other cases were sent`);
  }
  if (before.size !== after.size) found.push(`the sizes differ: ${before.size} and ${after.size}`);
  if (before.stopped !== null) found.push(`the first run stopped early: ${oneLine(before.stopped)}`);
  if (after.stopped !== null) found.push(`the second run stopped early: ${oneLine(after.stopped)}`);
  return found;
}

function section(title: string, changes: readonly CheckChange[]): string {
  if (changes.length === 0) return '';
  return [`${title} (${changes.length})`, ...changes.map((change) => `  ${line(change)}`)].join('\n');
}

function line({ id, title, before, after, aspects }: CheckChange): string {
  const [from, to] = [word(before, aspects[0]), word(after, aspects[1])];
  const verdict = before === null ? to : after === null ? from : from === to ? to : `${from} -> ${to}`;
  return `${oneLine(id)}: ${verdict}. ${oneLine(title)}`;
}

function word(verdict: Verdict | null, aspect: string | null): string {
  if (verdict === null) return '';
  const { label } = verdictWords[verdict];
  return aspect === null ? label : `${label} (${oneLine(aspect)})`;
}
