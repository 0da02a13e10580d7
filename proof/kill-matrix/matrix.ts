import { failuresOf } from 'gatecheck-reports/failures-of';
import type { Verdict } from 'gatecheck-reports/report';
import type { Check } from '../../suites/engine/check.ts';
import type { JobResult } from '../../suites/runner/run-input.ts';
import type { Mutant, Variant } from '../edits/mutant.ts';
import { judgesOf, referenceTarget, targetOf } from './plan.ts';
import type { Deviation, MutantProof, Proof, VariantProof } from './proof.ts';

/** The inputs of a matrix. */
export interface MatrixFacts {
  readonly checks: readonly Check[];
  /** All checks, selected or not: an unselected check may be the one that kills a mutant. */
  readonly everyCheck: readonly Check[];
  /** The mutants that were planned. */
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
  /** Whether a check that kills no mutant is no gap. */
  readonly onlyMutants: boolean;
  readonly results: readonly JobResult[];
  /** Why a mutant could not be run, by its id. */
  readonly faults: ReadonlyMap<string, string>;
  /** Runs whose result changed when they were repeated. */
  readonly unsteady: ReadonlySet<string>;
}

export type Matrix = Pick<Proof, 'gaps' | 'unsteady' | 'baseline' | 'mutants' | 'variants' | 'checks'>;

/** Verdicts without a complaint about the target. */
const green: readonly Verdict[] = ['pass', 'observed'];

/** Verdicts that count as a kill: fail, and warn for a rule that is advice. */
const red: readonly Verdict[] = ['fail', 'warn'];

/**
 * Combines the results: which checks killed which mutant and why, which failed without reason, and what is
 * missing.
 */
export function buildMatrix(facts: MatrixFacts): Matrix {
  const byTarget = Map.groupBy(facts.results, (result) => result.target);
  const reference = byTarget.get(referenceTarget) ?? [];
  const passing = passingIn(facts, byTarget);
  const mutants = facts.mutants
    .map((mutant) =>
      proveMutant(
        mutant,
        byTarget.get(targetOf('mutant', mutant.id)) ?? [],
        passing,
        facts.faults.get(mutant.id) ?? null,
      ),
    )
    .filter((mutant) => isJudged(mutant, facts));
  const failing = reference.filter((result) => !green.includes(result.verdict));
  const failingIds = new Set(failing.map(({ id }) => id));
  const variants = facts.variants.map((variant) =>
    proveVariant(variant, byTarget.get(targetOf('variant', variant.id)) ?? [], failingIds),
  );
  const baseline = failing.map(deviation);
  const checks = facts.checks.map(({ id }) => ({
    id,
    killed: mutants.filter((mutant) => mutant.killed_by.includes(id)).map((mutant) => mutant.id),
  }));
  const sound = [reference, ...facts.variants.map(({ id }) => byTarget.get(targetOf('variant', id)) ?? [])];
  const unrun = facts.checks.filter(({ id }) => !sound.flat().some((result) => result.id === id));
  const gaps = [
    ...unrun.map((check) => `${check.id} was run on no gateway without a defect`),
    ...baseline.map((one) => `${one.check} does not pass on the reference: ${reasonOf(one)}`),
    ...mutants.flatMap(mutantGap),
    ...checks
      .filter((check) => check.killed.length === 0 && !facts.onlyMutants)
      .map((check) => `${check.id} was turned red by no mutant for the named reason`),
    ...variants.flatMap(variantGaps),
  ];
  return { gaps, unsteady: [...facts.unsteady], baseline, mutants, variants, checks };
}

/**
 * Checks that pass on a gateway without a defect.
 * That is the reference or, if it was not run there, every variant that it ran on. A variant changes only
 * something harmless, so it hides no error of the check.
 */
function passingIn(
  { checks, variants }: MatrixFacts,
  byTarget: ReadonlyMap<string, JobResult[]>,
): Set<string> {
  const on = (target: string, check: Check): JobResult | undefined =>
    byTarget.get(target)?.find((result) => result.id === check.id);
  const passes = (check: Check): boolean => {
    const result = on(referenceTarget, check);
    if (result !== undefined) return green.includes(result.verdict);
    const judged = variants.flatMap((variant) => {
      const seen = on(targetOf('variant', variant.id), check);
      return seen === undefined ? [] : [isQuiet(seen, variant)];
    });
    return judged.length > 0 && judged.every(Boolean);
  };
  return new Set(checks.filter(passes).map(({ id }) => id));
}

/** The variant caused no complaint, except for the advice of its reading. */
function isQuiet(result: JobResult, { advised = [] }: Variant): boolean {
  if (green.includes(result.verdict)) return true;
  return (
    result.verdict === 'warn' && advised.includes(`${result.failure?.requirement} ${result.failure?.aspect}`)
  );
}

/** Checks that killed no mutant for its named reason. */
export function unproven(checks: readonly Check[], matrix: Matrix): Check[] {
  const proven = new Set(matrix.checks.filter((check) => check.killed.length > 0).map((check) => check.id));
  return checks.filter((check) => !proven.has(check.id));
}

function proveMutant(
  mutant: Mutant,
  results: readonly JobResult[],
  passing: ReadonlySet<string>,
  fault: string | null,
): MutantProof {
  const { id, title, kind, requirement, aspect } = mutant;
  const named = results.filter(
    (result) =>
      passing.has(result.id) &&
      red.includes(result.verdict) &&
      result.requirements.includes(requirement) &&
      failuresOf(result).some((one) => one.requirement === requirement && one.aspect === aspect),
  );
  const others = results.filter((result) => !named.includes(result) && !green.includes(result.verdict));
  return {
    id,
    title,
    kind,
    requirement,
    aspect,
    killed_by: named.map((result) => result.id).sort(),
    named_reason: named.length > 0,
    other_failures: others.map(deviation),
    judged_by: results.map((result) => result.id).sort(),
    fault,
  };
}

function proveVariant(
  variant: Variant,
  results: readonly JobResult[],
  failing: ReadonlySet<string>,
): VariantProof {
  const alarms = results
    .filter((result) => !failing.has(result.id) && !isQuiet(result, variant))
    .map(deviation);
  return {
    id: variant.id,
    title: variant.title,
    false_alarms: alarms.map((alarm) => alarm.check),
    alarms,
    judged_by: results.map((result) => result.id).sort(),
  };
}

/**
 * A mutant counts as missed only when all checks that could kill it have run on it. Before that it is left out.
 */
function isJudged(mutant: MutantProof, facts: MatrixFacts): boolean {
  if (mutant.named_reason || mutant.fault !== null || facts.onlyMutants) return true;
  const declared = facts.mutants.find(({ id }) => id === mutant.id);
  const judges = declared === undefined ? [] : judgesOf(declared, facts.everyCheck);
  return judges.every((check) => mutant.judged_by.includes(check.id));
}

function mutantGap(mutant: MutantProof): string[] {
  if (mutant.fault !== null) return [`the mutant ${mutant.id} could not be run: ${mutant.fault}`];
  if (mutant.named_reason) return [];
  const seen = mutant.other_failures.map((one) => `${one.check} saw ${reasonOf(one)}`).join('; ');
  return [
    `the mutant ${mutant.id} was not killed for its named reason, ${mutant.requirement} ${mutant.aspect} (${mutant.title}): ${seen || `${mutant.judged_by.join(', ') || 'no check'} saw nothing`}`,
  ];
}

function variantGaps(variant: VariantProof): string[] {
  if (variant.judged_by.length === 0) return [`the variant ${variant.id} was judged by no check`];
  return variant.alarms.map(
    (alarm) =>
      `false alarm: ${alarm.check} complains about the variant ${variant.id} (${variant.title}): ${reasonOf(alarm)}`,
  );
}

function deviation(result: JobResult): Deviation {
  return {
    check: result.id,
    verdict: result.verdict,
    requirement: result.failure?.requirement ?? null,
    aspect: result.failure?.aspect ?? null,
    actual: result.failure?.actual ?? (result.evidence.missing.join(', ') || null),
  };
}

function reasonOf(one: Deviation): string {
  const rule = one.requirement === null ? '' : ` ${one.requirement} ${one.aspect}`;
  return `${one.verdict}${rule}: ${(one.actual ?? 'no reason given').slice(0, 240)}`;
}
