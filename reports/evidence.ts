/** The calls of one model: number of requests, and for accepted ones the number and the billed units. */
export interface ModelCalls {
  asked: number;
  /** Number of accepted generations. The members below are their sums, absent if 0. */
  paid?: number;
  /** All prompt tokens, including cache reads and writes. */
  prompt_tokens?: number;
  completion_tokens?: number;
  cached_tokens?: number;
  cache_write_5m_tokens?: number;
  cache_write_1h_tokens?: number;
  /** Images, and seconds of video or audio. */
  images?: number;
  seconds?: number;
}

/** The evidence for a verdict. */
export interface Evidence {
  cases: number;
  exchanges: number;
  /** Number of exchanges that are polling: reads of tasks and results. Absent if none. */
  reads?: number;
  /** Calls by model id; absent if none. */
  models?: Record<string, ModelCalls>;
  /** A hash over everything that this check generated and sent: equal seeds give equal digests. */
  cases_digest: string;
  /** Number of calls by entry point: `core`, `core, stream`, `images` and so on. */
  ways?: Record<string, number>;
  /**
   * Number of calls by place. A place is an entry point with a model family or the medium of a task (`core, beta`, `tasks,
   * video`), or a kind of read (`models`, `task reads`). Absent in reports of older versions, and if none.
   */
  places?: Record<string, number>;
  /** Outcomes of its histories that this seed has not drawn, one text per cell. Absent for checks without histories. */
  undrawn?: string[];
  /** Observations, tolerated alternatives that occurred, and warnings. */
  notes: string[];
  /** Missing facts of the target profile (untestable, not-applicable), such as `keys.K2`. */
  missing: string[];
  /** The property's run in fast-check's terms; `path` is null if the property holds. */
  property: { seed: number; path: string | null; runs: number; shrinks: number } | null;
}
