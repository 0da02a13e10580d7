import type { CheckFacts } from '../engine/check.ts';
import type { Fact } from '../engine/facts.ts';
import type { CheckCosts } from '../plan/check-costs.ts';
import { asksNothing, lackedFacts } from '../plan/expected-cost.ts';
import type { Profile } from '../profile/profile.ts';

/** The checks and rules that a missing fact would unlock. */
export interface Gain {
  readonly fact: Fact;
  /** Checks that lack nothing else. */
  readonly checks: number;
  /** Rules that cannot be judged now, but with this fact alone. */
  readonly rules: number;
  /** Checks that lack this fact and others, and the other facts, most needed first. */
  readonly together: number;
  readonly others: readonly Fact[];
}

/** The checks that a profile allows, and the gain of each missing fact, greatest first. */
export interface Evidence {
  readonly checks: number;
  readonly ofChecks: number;
  readonly rules: number;
  readonly ofRules: number;
  readonly gains: readonly Gain[];
}

/**
 * @param checks the checks that a run would select; facts listed as absent are not missing
 * @param target its profile, and its enabled models
 */
export function evidenceOf(
  checks: readonly CheckFacts[],
  costs: CheckCosts,
  { profile, enabled }: { readonly profile: Profile; readonly enabled: ReadonlySet<string> },
): Evidence {
  const isIdle = (check: CheckFacts): boolean => asksNothing(check, costs, { profile, enabled });
  // Like a run: in a deployment with its own models, unplayed roles are absent.
  const { dialect, absent } = profile;
  const lacksRoles =
    Object.keys(dialect?.models ?? {}).length > 0 || absent.includes('images') || absent.includes('tasks');
  const applying = checks
    .map((check) => ({ check, missing: lackedFacts(check, costs, profile) }))
    .filter(({ check, missing }) =>
      missing.length === 0
        ? check.kind === 'passive' || !lacksRoles || !isIdle(check)
        : !missing.every((fact) => absent.includes(fact)),
    );
  const able = applying
    .filter(({ check, missing }) => missing.length === 0 && !isIdle(check))
    .map(({ check }) => check);
  const unable = applying.filter(
    ({ check, missing }) => check.kind !== 'passive' && (missing.length > 0 || isIdle(check)),
  );
  // As a run has it: a rule that one of its checks cannot judge is proved in part, which is not judged.
  const open = Map.groupBy(
    unable.flatMap(({ check, missing }) => check.requirements.map((rule) => ({ rule, missing }))),
    ({ rule }) => rule,
  );
  const judged = [...rulesOf(able)].filter((rule) => !open.has(rule));
  const facts = new Set(applying.flatMap(({ missing }) => missing));
  const gains = [...facts].map((fact): Gain => {
    const needing = applying.filter(({ missing }) => missing.includes(fact));
    const alone = needing.filter(({ missing }) => missing.length === 1).map(({ check }) => check);
    const more = [...open.values()].filter((lacks) =>
      lacks.every(({ missing }) => missing.length === 1 && missing[0] === fact),
    );
    return {
      fact,
      checks: alone.length,
      rules: more.length,
      together: needing.length - alone.length,
      others: mostNeeded(needing.flatMap(({ missing }) => missing.filter((other) => other !== fact))),
    };
  });
  return {
    ...{ checks: able.length, ofChecks: applying.length },
    ...{ rules: judged.length, ofRules: rulesOf(applying.map(({ check }) => check)).size },
    gains: gains.toSorted(
      (one, other) => other.rules - one.rules || other.checks - one.checks || other.together - one.together,
    ),
  };
}

function rulesOf(checks: readonly CheckFacts[]): Set<string> {
  return new Set(checks.flatMap(({ requirements }) => requirements));
}

function mostNeeded(facts: readonly Fact[]): Fact[] {
  const counts = new Map<Fact, number>();
  for (const fact of facts) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([fact]) => fact);
}
