import type { CheckResult, Failure } from './report.ts';

/** All failures of a check that no waiver accepts; the main one comes first. */
export function failuresOf({ failure, also = [] }: CheckResult): readonly Failure[] {
  return failure === undefined ? [] : [failure, ...also];
}

/** All failures of a check, accepted or not. */
export function foundBy(check: CheckResult): readonly Failure[] {
  return [...failuresOf(check), ...(check.accepted ?? [])];
}
