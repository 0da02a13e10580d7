import type { ProfileResult, RequirementResult } from 'gatecheck-reports/report';
import { isJudged } from 'gatecheck-reports/verdict-words';
import {
  type ConformanceProfile,
  conformanceProfileNames,
  conformanceProfiles,
  type Minimums,
} from '../profile/conformance-profiles.ts';
import type { Register } from './register.ts';

/**
 * How much of each conformance profile a run has judged. It skips rules that no check covers and rules that the deployment
 * declares absent. A rule that was judged in part counts as not judged.
 * @param coveredIds ids of the rules that at least one check covers, selected or not
 */
export function judgeProfiles(
  requirements: readonly RequirementResult[],
  register: Register,
  coveredIds: ReadonlySet<string>,
): ProfileResult[] {
  const verdictOf = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  return conformanceProfileNames.map((name) => {
    const areas: readonly string[] = conformanceProfiles[name];
    const rows = [...register.values()].filter(({ id, area }) => areas.includes(area) && coveredIds.has(id));
    const verdicts = rows
      .map(({ id }) => verdictOf.get(id))
      .filter((verdict) => verdict !== 'not-applicable');
    const judged = verdicts.filter((verdict) => verdict !== undefined && isJudged(verdict)).length;
    const failed = verdicts.filter((verdict) => verdict === 'fail').length;
    return {
      name,
      areas: [...areas],
      verdict: verdictFor(verdicts.length, judged, failed),
      rules: verdicts.length,
      judged,
      failed,
    };
  });
}

function verdictFor(rules: number, judged: number, failed: number): ProfileResult['verdict'] {
  if (failed > 0) return 'fail';
  if (judged === 0) return 'none';
  return judged === rules ? 'pass' : 'partial';
}

/** The evidence that a run lacks to pass, one sentence for each profile. */
export function missingEvidence(results: readonly ProfileResult[], minimums: Minimums): string[] {
  return results.flatMap(({ name, rules, judged }) => {
    const percent = minimums[name as ConformanceProfile];
    if (percent === undefined || (judged > 0 && judged * 100 >= rules * percent)) return [];
    return [`${judged} of ${rules} rules of ${name} were judged, and ${percent} % are required`];
  });
}
