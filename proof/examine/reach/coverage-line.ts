/** A range of a source file and how often it ran: start offset, end offset (exclusive), count. */
export type Range = readonly [start: number, end: number, count: number];

/** The code of one gateway source file that ran since the last request. */
export interface FileCoverage {
  /** From the root of the repository. */
  readonly path: string;
  readonly ranges: readonly Range[];
}

/** The environment variable with a `CoverageCall` as JSON, for a gateway that reports which code it runs. */
export const coverageVariable = 'GATECHECK_COVERAGE';

/** Where a gateway reports, and under which name. It answers each input line with a line of `FileCoverage[]`. */
export interface CoverageCall {
  readonly port: number;
  readonly id: string;
}

/**
 * Whether the code at this offset ran. The innermost range around it decides: a branch may not have run although its function
 * did.
 */
export function hasRun(ranges: readonly Range[], offset: number): boolean {
  let innermost: Range | null = null;
  for (const range of ranges) {
    const [start, end] = range;
    if (offset < start || offset >= end) continue;
    if (innermost === null || end - start <= innermost[1] - innermost[0]) innermost = range;
  }
  return innermost !== null && innermost[2] > 0;
}
