/** The parts of a run. */
export const fuzzParts = ['fields', 'raw', 'costs'] as const;
export type FuzzPart = (typeof fuzzParts)[number];

/** What a run sends, and where it stops. */
export interface FuzzLimits {
  readonly seed: number;
  /** Damaged requests. */
  readonly requests: number;
  /** Bodies whose cost is measured. */
  readonly bodies: number;
  readonly parts: readonly FuzzPart[];
  /** Words that a cell must have; all cells where there is none. */
  readonly only: readonly string[];
  /** How much longer another caller may wait, ms. */
  readonly stallMs: number;
  /** By how much the memory of the gateway may grow in a part of the run, MB; null for any. */
  readonly memoryMb: number | null;
}
