/** The parts of a run. */
export const fuzzParts = ['fields', 'raw', 'costs'] as const;
export type FuzzPart = (typeof fuzzParts)[number];

/** What a run sends, and its limits. */
export interface FuzzLimits {
  readonly seed: number;
  /** The number of damaged requests. */
  readonly requests: number;
  /** The number of bodies whose cost is measured. */
  readonly bodies: number;
  readonly parts: readonly FuzzPart[];
  /** Only cells whose key contains one of these words; all cells when empty. */
  readonly only: readonly string[];
  /** How much longer another caller may wait because of a body, ms. */
  readonly stallMs: number;
  /** By how much the memory of the gateway may grow in a part of the run, MB; null for any. */
  readonly memoryMb: number | null;
}
