import { createHash } from 'node:crypto';
import { groupByCause, nameOf, sizeOf } from './causes.ts';
import { clip, oneLine } from './plain-text.ts';
import type { Report } from './report.ts';
import { isRed } from './verdict-words.ts';

/** One entry of GitLab's Code Quality report. */
interface Finding {
  readonly description: string;
  readonly check_name: string;
  /** Stable for the same rule and aspect, so that a merge request shows only new findings. */
  readonly fingerprint: string;
  readonly severity: 'blocker' | 'major' | 'minor';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const longestDescription = 500;

/**
 * The causes of failures (also flaky ones) and of warnings for GitLab (docs.gitlab.com, Code Quality), as JSON. Findings are
 * placed at the target profile.
 */
export function renderCodeQuality({ checks, target }: Report): string {
  const shown = checks.filter(({ verdict }) => isRed(verdict) || verdict === 'flaky' || verdict === 'warn');
  const path = target.profile ?? 'gatecheck';
  const findings = groupByCause(shown).map((cause): Finding => {
    const { failure, verdict, title } = cause.representative;
    const name = nameOf(cause);
    const text = failure === undefined ? title : `${failure.statement}: ${failure.actual}`;
    const others = sizeOf(cause) === 1 ? '' : ` (${sizeOf(cause)} checks)`;
    return {
      description: clip(oneLine(text), longestDescription) + others,
      check_name: oneLine(name),
      fingerprint: createHash('sha256').update(`${verdict} ${name}`).digest('hex'),
      severity: severityOf(verdict),
      location: { path, lines: { begin: 1 } },
    };
  });
  return `${JSON.stringify(findings, null, 2)}\n`;
}

function severityOf(verdict: string): Finding['severity'] {
  if (verdict === 'warn') return 'minor';
  return verdict === 'fail' || verdict === 'flaky' ? 'major' : 'blocker';
}
