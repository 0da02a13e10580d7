import type { CheckResult, Failure } from './report.ts';

/** Everything that a check found broken and no waiver accepts beside it, the failure that it is shown by first. */
export function failuresOf({ failure, also = [] }: CheckResult): readonly Failure[] {
  return failure === undefined ? [] : [failure, ...also];
}

/** Everything that a check found broken, accepted or not. */
export function foundBy(check: CheckResult): readonly Failure[] {
  return [...failuresOf(check), ...(check.accepted ?? [])];
}
