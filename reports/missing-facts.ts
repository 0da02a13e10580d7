import type { CheckResult } from './report.ts';

/** Missing facts of the target profile, and the checks that need exactly these. */
export interface MissingFacts {
  /** In alphabetical order. Empty for checks that name no fact: no edit of the profile can unlock them. */
  facts: string[];
  /** Why these checks were not run, although nothing is missing; null for others. */
  notRun: string | null;
  checks: CheckResult[];
}

/** Untestable checks by missing facts: the facts that unlock most checks first, checks without a fact last. */
export function groupByMissingFacts(checks: readonly CheckResult[]): MissingFacts[] {
  const groups = new Map<string, MissingFacts>();
  for (const check of checks) {
    if (check.verdict !== 'untestable') continue;
    const facts = [...new Set(check.evidence.missing)].sort();
    const notRun = check.not_run ?? null;
    const key = JSON.stringify([facts, notRun]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { facts, notRun, checks: [check] });
    else group.checks.push(check);
  }
  return [...groups.values()].sort(byWorth);
}

/** The common reason of a group without a missing fact: not run, or not unlockable by any fact. */
export function aimlessTitle({ notRun, checks }: MissingFacts): string {
  if (notRun === null) return 'not judged because another check failed';
  return `${checks.length === 1 ? '1 check was' : `${checks.length} checks were`} not run (${notRun})`;
}

/**
 * The words around the names of a group: `declare … to run 3 more checks`, that a mapping of the profile hides them, or that
 * they need what is no member of a profile.
 */
export function aroundFacts({ facts, checks }: MissingFacts): readonly [before: string, after: string] {
  const isHidden = facts.some((fact) => /^(?:dialect\.|deviations: )/.test(fact));
  if (isHidden) return ['hidden by', checks.length === 1 ? '(1 check)' : `(${checks.length} checks)`];
  const isDeclarable = facts.every((fact) => /^[\w.-]+$/.test(fact));
  if (!isDeclarable) return [checks.length === 1 ? '1 check needs' : `${checks.length} checks need`, ''];
  return ['declare', checks.length === 1 ? 'to run 1 more check' : `to run ${checks.length} more checks`];
}

function byWorth(a: MissingFacts, b: MissingFacts): number {
  const aimless = Number(a.facts.length === 0) - Number(b.facts.length === 0);
  const order = (group: MissingFacts): string => group.facts.join(' ');
  return (
    aimless ||
    b.checks.length - a.checks.length ||
    a.facts.length - b.facts.length ||
    (order(a) < order(b) ? -1 : 1)
  );
}
