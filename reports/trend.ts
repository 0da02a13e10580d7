import type { Verdict } from './report.ts';
import type { RunSummary } from './run-summary.ts';
import type { TrendRun } from './trend-run.ts';

/**
 * What became of rules from run to run.
 * @param runs oldest first; the first one only shows the state before
 */
export function trendOf(runs: readonly RunSummary[]): TrendRun[] {
  return runs.map((run, at) => {
    const { started_at, duration_ms, seed, size, summary } = run;
    const { passed, failed, untestable } = summary;
    const all = Object.entries(summary).filter(([name]) => name !== 'cases' && name !== 'exchanges');
    const checks = all.reduce((sum, [, count]) => sum + count, 0);
    const figures = { passed, failed, untestable, others: checks - passed - failed - untestable };
    return { started_at, duration_ms, seed, size, ...figures, ...changesIn(run, runs.slice(0, at)) };
  });
}

/** A run may have judged few rules: each is compared with the last run that judged it. */
function changesIn(
  run: RunSummary,
  earlier: readonly RunSummary[],
): Pick<TrendRun, 'new' | 'fixed' | 'changed'> {
  const changes = { new: [] as string[], fixed: [] as string[], changed: [] as string[] };
  for (const [id, now] of Object.entries(run.rules)) {
    const was = earlier.findLast(({ rules }) => isTold(rules[id]));
    if (was === undefined || !isTold(now)) continue;
    const failed = was.rules[id] === 'fail';
    if (now === 'fail' && !failed) changes.new.push(id);
    if (now !== 'fail' && failed) changes.fixed.push(id);
    if (now === 'fail' && failed && reasonsOf(id, run) !== reasonsOf(id, was)) changes.changed.push(id);
  }
  return changes;
}

function reasonsOf(id: string, { failures }: RunSummary): string {
  return failures.filter((one) => one.startsWith(`${id} `)).join('\n');
}

/** Whether the rule was judged as held or broken: a waiver fixes nothing. */
function isTold(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && ['pass', 'fail', 'warn', 'observed'].includes(verdict);
}
