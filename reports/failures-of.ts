import type { CheckResult, Failure } from './report.ts';

/** Everything that a check found broken, the failure that it is shown by first. */
export function failuresOf({ failure, also = [] }: CheckResult): readonly Failure[] {
  return failure === undefined ? [] : [failure, ...also];
}
