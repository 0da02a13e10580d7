/** The calls of one model: how often it was asked, and of what was accepted the number and what it is paid by. */
export interface ModelCalls {
  asked: number;
  /** Accepted generations; the members below are their sums, and absent where they are 0. */
  paid?: number;
  /** Whole prompts, including what was read from and written to a cache. */
  prompt_tokens?: number;
  completion_tokens?: number;
  cached_tokens?: number;
  cache_write_5m_tokens?: number;
  cache_write_1h_tokens?: number;
  /** Images, and seconds of video or sound. */
  images?: number;
  seconds?: number;
}

/** The evidence for a verdict. */
export interface Evidence {
  cases: number;
  exchanges: number;
  /** How many of the exchanges were repeated as often as needed: reads of tasks, of results. Absent for none. */
  reads?: number;
  /** Calls by model id; absent for none. */
  models?: Record<string, ModelCalls>;
  /** A hash over everything that this check generated and sent: the same seed gives the same digest. */
  cases_digest: string;
  /** How often each way in was called: `core`, `core, stream`, `images` and so on. */
  ways?: Record<string, number>;
  /**
   * How often each place was called: a way in with the family of the chat model or what a task makes (`core, beta`,
   * `tasks, video`), and reads (`models`, `task reads`). Absent in reports of older versions, and for none.
   */
  places?: Record<string, number>;
  /** What its histories can come to and this seed has not drawn, one text a cell. Absent for checks without histories. */
  undrawn?: string[];
  /** Observations, tolerated alternatives that occurred, and warnings. */
  notes: string[];
  /** Missing facts of the target profile (untestable, not-applicable), such as `keys.K2`. */
  missing: string[];
  /** The property's run in fast-check's terms; `path` is null while it holds. */
  property: { seed: number; path: string | null; runs: number; shrinks: number } | null;
}
