import type { Report } from './report.ts';

/** The outcomes of a whole run. */
export const outcomes = [
  'conforming',
  'failures',
  'usage',
  'unjudged',
  'harness-error',
  'waivers',
  'interrupted',
] as const;
export type Outcome = (typeof outcomes)[number];

export const outcomeWords: Record<Outcome, string> = {
  conforming: 'Conforming',
  failures: 'Not conforming',
  usage: 'Not judged',
  unjudged: 'Not judged',
  'harness-error': 'Harness error',
  waivers: 'Waivers out of date',
  interrupted: 'Interrupted',
};

/**
 * The outcome follows the exit code, with one exception: no lesser reason ever hides failures.
 * A run that was interrupted after a failure is not conforming.
 */
export function outcomeOf(report: Report): Outcome {
  if (report.exit_code === 2) return 'usage';
  if (report.exit_code === 3) return 'unjudged';
  if (report.exit_code === 1 || report.summary.failed > 0) return 'failures';
  if (report.exit_code === 0) return 'conforming';
  if (report.exit_code === 5) return 'waivers';
  return report.exit_code === 130 ? 'interrupted' : 'harness-error';
}
