/** One of the last runs, and which rules it saw otherwise than the run before that judged them. */
export interface TrendRun {
  started_at: string;
  duration_ms: number;
  seed: number;
  size: 'smoke' | 'quick' | 'full';
  /** Checks by verdict. */
  passed: number;
  failed: number;
  untestable: number;
  others: number;
  /** Rules that fail and did not; that failed and hold; that fail in another way. */
  new: string[];
  fixed: string[];
  changed: string[];
}
