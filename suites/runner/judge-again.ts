import { isRed } from '../../reports/verdict-words.ts';
import { countOf } from './count-of.ts';
import type { JobResult } from './run-input.ts';

/** More red checks than this are no coincidence: none of them is judged again. */
export const mostDoubted = 12;

/** How often a failure must not show up again before it is called flaky. */
const repeats = 2;

/** Whether a result is red, so that a second look is worth its time. */
export function isDoubtful({ verdict, not_run }: JobResult): boolean {
  return not_run === undefined && isRed(verdict);
}

/**
 * Judges a red check again while nothing else runs. A failure that shows up again stays as it was first seen; one
 * that does not, twice in a row, is `flaky` and keeps what it showed. A check that broke down has no verdict yet: the
 * first look at which it comes to its end gives one.
 * @param judge judges the check once more, from its start, with the same cases
 */
export async function judgeAgain(first: JobResult, judge: () => Promise<JobResult>): Promise<JobResult> {
  const broke = first.verdict === 'harness-error';
  for (let count = 1; count <= repeats; count += 1) {
    const next = await judge();
    // What a budget or an interrupt cut off tells nothing new.
    if (next.not_run !== undefined) return first;
    if (next.verdict === 'harness-error') {
      if (broke) continue;
      return first;
    }
    if (broke) return noted(next, `it broke down beside others (${actualOf(first)}), and not alone`);
    if (next.verdict === 'fail') return noted(first, 'judged again alone: it failed again');
  }
  if (broke) return first;
  return noted(
    { ...first, verdict: 'flaky' },
    `judged again alone ${countOf(repeats, 'time')} with the same cases: it did not fail again`,
  );
}

function actualOf({ failure }: JobResult): string {
  return failure?.actual ?? 'no reason given';
}

function noted(result: JobResult, note: string): JobResult {
  const { evidence } = result;
  return { ...result, evidence: { ...evidence, notes: [note, ...evidence.notes] } };
}
