/** One of the last runs, and the rules that changed since the previous run that judged them. */
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
  /** Rules that newly fail; that are fixed; that fail in another way. */
  new: string[];
  fixed: string[];
  changed: string[];
}
