import type { CheckResult, Summary, Verdict } from './report.ts';

interface VerdictWords {
  /** The word on badges and in tables. */
  label: string;
  /** One character that distinguishes verdicts where there is no colour. */
  glyph: string;
  /** The meaning of the verdict, for a tooltip. */
  meaning: string;
  /** The member of the summary that counts it. */
  count: Exclude<keyof Summary, 'cases' | 'exchanges'>;
}

/** The words and the mark of each verdict, the same in every rendering. */
export const verdictWords: Record<Verdict, VerdictWords> = {
  fail: { label: 'failed', glyph: '✕', meaning: 'a MUST was violated', count: 'failed' },
  'harness-error': {
    label: 'error',
    glyph: '‡',
    meaning: 'the check itself broke and says nothing about the target',
    count: 'errors',
  },
  flaky: {
    label: 'flaky',
    glyph: '≈',
    meaning: 'a MUST was violated once, and not again when the check ran alone',
    count: 'flaky',
  },
  warn: { label: 'warning', glyph: '!', meaning: 'a SHOULD was violated', count: 'warned' },
  observed: {
    label: 'observed',
    glyph: '○',
    meaning: 'the specification is silent; what happened is recorded',
    count: 'observed',
  },
  untestable: {
    label: 'untestable',
    glyph: '?',
    meaning: 'the target profile lacks a fact that the check needs',
    count: 'untestable',
  },
  waived: { label: 'waived', glyph: '~', meaning: 'failed, and a waiver accepts it', count: 'waived' },
  'not-applicable': {
    label: 'not applicable',
    glyph: '–',
    meaning: 'the target declares that it does not have this',
    count: 'not_applicable',
  },
  pass: { label: 'passed', glyph: '✓', meaning: 'the rule held in every case tried', count: 'passed' },
};

/** Verdicts in order of urgency. */
export const byUrgency: readonly Verdict[] = [
  'fail',
  'harness-error',
  'flaky',
  'warn',
  'observed',
  'untestable',
  'waived',
  'not-applicable',
  'pass',
];

/** A count with its word: '1 warning', '3 warnings', '2 passed'. */
export function counted(verdict: Verdict, count: number): string {
  return `${count} ${countWord(verdict, count)}`;
}

/** The word alone, singular or plural to match the count. */
export function countWord(verdict: Verdict, count: number): string {
  const { label } = verdictWords[verdict];
  return count !== 1 && (verdict === 'warn' || verdict === 'harness-error') ? `${label}s` : label;
}

/** Whether the verdict says something about the deployment. */
export function isJudged(verdict: Verdict): boolean {
  return ['pass', 'fail', 'warn', 'observed', 'waived'].includes(verdict);
}

/** Whether the verdict is not a failure, but needs attention. */
export function needsAttention(verdict: Verdict): boolean {
  return ['flaky', 'warn', 'observed', 'waived'].includes(verdict);
}

/** Whether the verdict requires action. */
export function isRed(verdict: Verdict): boolean {
  return verdict === 'fail' || verdict === 'harness-error';
}

/** The number of checks by verdict, most urgent first, without verdicts of no check. */
export function tallyOf(checks: readonly Pick<CheckResult, 'verdict'>[]): [Verdict, number][] {
  const counts = Map.groupBy(checks, ({ verdict }) => verdict);
  return byUrgency.flatMap((verdict): [Verdict, number][] => {
    const count = counts.get(verdict)?.length ?? 0;
    return count === 0 ? [] : [[verdict, count]];
  });
}
