import type { JsonObject } from '../http/parse-json.ts';

/** Reasons why an upstream did not deliver. The set is closed: routing and normalising decide on it. */
export const failureReasons = [
  'timeout', // a deadline of ours passed, or the upstream says that one of its own did
  'connection', // refused, reset, cut off
  'server', // 5xx, and what else another try might mend
  'busy', // 429, 503, 529: comes back by itself
  'exhausted', // the upstream account is out of money or quota: stays out
  'credentials', // 401, 402, 403
  'context', // prompt too long for the native model
  'policy', // request or answer blocked
  'bad_request', // 400 or 422 for another reason
  'unusable', // anything that is no valid answer of this dialect
] as const;
export type FailureReason = (typeof failureReasons)[number];

export interface UpstreamFailure {
  readonly kind: 'failure';
  readonly reason: FailureReason;
  /** Top-level field that the upstream complains about; its text goes no further than a comparison. */
  readonly param: string | null;
  /** How long the upstream asks to be left alone. */
  readonly retryAfterMs: number | null;
  /** Status of the upstream's answer, for the log. */
  readonly status: number | null;
  /** The connection had been kept, and was dead before any byte of an answer: that says nothing about the upstream. */
  readonly isStale: boolean;
  /** No byte of the request has gone out: the upstream cannot have done anything about it. */
  readonly isUnsent?: true;
  /** Our own words, for the log. */
  readonly detail: string;
}

/** The caller left; whatever the upstream did meanwhile, nobody waits for it. */
export interface ClientLeft {
  readonly kind: 'client_left';
}

/** Token counts as the upstream reported them. */
export interface Usage {
  /** All input tokens, cached ones included. */
  readonly promptTokens: number;
  /** Everything that the model produced, thinking included. */
  readonly completionTokens: number;
  /** The part of the prompt that was read from a cache. */
  readonly cachedTokens: number;
  /** The parts of the prompt that were written to a cache slot of 5 minutes and of 1 hour. */
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  /** What the upstream contradicts itself in; the counts above are those that were believed. */
  readonly doubt?: UsageDoubt;
}

/** Contradictions in counts, for the log: a total that is not the sum of its parts, of all tokens or of what was cached. */
export const usageDoubts = ['total', 'cache_writes'] as const;
export type UsageDoubt = (typeof usageDoubts)[number];

export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
export type FinishReason = (typeof finishReasons)[number];

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as text, exactly as the model produced it. */
  readonly arguments: string;
  /** What the upstream wants back with this call, word for word. */
  readonly thoughtSignature?: string;
}

/*
 * Members called `native` hold what an upstream said in its own dialect, digits kept. They are there only when the call
 * asked for them (`ChatCall.keepNative`), for callers who speak that dialect too; everybody else reads past them.
 */

export interface Completion {
  readonly kind: 'completion';
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: FinishReason;
  /** Null when the upstream did not report any. */
  readonly usage: Usage | null;
  /** The whole body, found to be in order; absent when the answer is no longer what the upstream sent. */
  readonly native?: JsonObject;
  /** The stop that we halted the text at. */
  readonly stop?: string;
}

/** Pieces of a streamed answer, in the order of the stream. */
export type StreamPiece =
  /** `native`: the part it came in (generate-content). */
  | { readonly kind: 'text'; readonly text: string; readonly native?: JsonObject }
  | {
      readonly kind: 'tool_start';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly thoughtSignature?: string;
      /** The part that holds the whole call, arguments included (generate-content). */
      readonly native?: JsonObject;
    }
  | { readonly kind: 'tool_arguments'; readonly index: number; readonly text: string }
  /**
   * What has no place in a common answer, thinking for instance: an event of the stream (messages: the start, a delta or
   * the stop of such a block, or of a text block a delta that is no text), or a part (generate-content).
   */
  | { readonly kind: 'native'; readonly native: JsonObject };

/** The regular end of a stream. */
export interface StreamEnd {
  readonly kind: 'end';
  readonly finish: FinishReason;
  readonly usage: Usage | null;
  /**
   * messages: `stop_reason`, `stop_sequence`, and `usage` with every count of the stream, later ones over earlier ones.
   * generate-content: the last response with its candidate, but for `content`, and the last `usageMetadata`.
   */
  readonly native?: JsonObject;
  /** The stop that we halted the text at. */
  readonly stop?: string;
}

/** What the next read of a stream brought; `end` and `failure` are the last. */
export type StreamStep =
  | { readonly kind: 'pieces'; readonly pieces: readonly StreamPiece[] }
  | StreamEnd
  | UpstreamFailure
  | ClientLeft;

/** A stream whose first pieces (or whose regular end) have arrived. */
export interface OpenStream {
  readonly kind: 'stream';
  readonly first: StreamStep;
  next(): Promise<StreamStep>;
  /** Usage as last reported, for streams that do not reach their end. */
  lastUsage(): Usage | null;
  /** Gives what is still to come only this long; then the stream fails, if it still runs. */
  hurry(withinMs: number): void;
  /** Ends the upstream call at once, if it still runs. */
  close(): void;
}

export type UpstreamOutcome = Completion | OpenStream | UpstreamFailure | ClientLeft;

export function failure(
  reason: FailureReason,
  detail: string,
  more: Partial<UpstreamFailure> = {},
): UpstreamFailure {
  const rest = { param: null, retryAfterMs: null, status: null, isStale: false };
  return { kind: 'failure', reason, detail, ...rest, ...more };
}
