import type { JsonObject } from '../http/parse-json.ts';

/** Why an upstream did not deliver. The set is closed: routing and error normalisation depend on it. */
export const failureReasons = [
  'timeout', // one of our deadlines passed, or the upstream reports that one of its own did
  'connection', // refused, reset, cut off
  'server', // 5xx, and other errors that another attempt may avoid
  'busy', // 429, 503, 529: recovers by itself
  'exhausted', // the upstream account is out of money or quota: does not recover soon
  'credentials', // 401, 402, 404, and a 403 that names our account
  'context', // prompt too long for the native model
  'policy', // request or answer blocked
  'bad_request', // 400 or 422 for another reason
  'refused', // another 4xx, which the request caused
  'unusable', // not a valid answer of this dialect
  'garbled', // this request got no readable answer here, and may get one elsewhere or later
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The `param` of a failure if the upstream rejects a separate system prompt. */
export const systemPrompt = 'system';

export interface UpstreamFailure {
  readonly kind: 'failure';
  readonly reason: FailureReason;
  /** Top-level field that the upstream rejects; only compared, never passed on. */
  readonly param: string | null;
  /** The wait that the upstream requests, in ms. */
  readonly retryAfterMs: number | null;
  /** Status of the upstream's answer, for the log. */
  readonly status: number | null;
  /** A kept connection was dead before any byte of the answer: this says nothing about the upstream. */
  readonly isStale: boolean;
  /** No byte of the request was sent, so the upstream cannot have acted on it. */
  readonly isUnsent?: true;
  /** A limit of the gateway ended an answer that was still arriving. */
  readonly isHalted?: true;
  /** The gateway's own message, for the log. */
  readonly detail: string;
}

/** The caller disconnected, and the gateway no longer waits for the upstream's answer. */
export interface ClientLeft {
  readonly kind: 'client_left';
}

/** Token counts as the upstream reported them. */
export interface Usage {
  /** All input tokens, including cached ones. */
  readonly promptTokens: number;
  /** All generated tokens, including thinking. */
  readonly completionTokens: number;
  /** The prompt tokens that were read from a cache. */
  readonly cachedTokens: number;
  /** The prompt tokens that were written to a cache entry with a lifetime of 5 minutes, and of 1 hour. */
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  /** The reasoning tokens of the completion, if the upstream reports them. */
  readonly reasoningTokens?: number;
  /** Why the counts above may be wrong; they are the most credible ones. */
  readonly doubts?: readonly UsageDoubt[];
}

/** Why usage is in doubt; kept with the charge, logged and counted. */
export const usageDoubts = [
  'missing', // the upstream reported none
  'partial', // it counted one side only
  'unreadable', // something that is no count stood in place of one
  'restated', // a count was stated again, smaller
  'total', // the total is not the sum of its parts
  'cached', // more cached and written tokens than the prompt has
  'cache_writes', // the writes by lifetime are not the writes
  'reasoning', // more reasoning than completion
  'estimated', // we cut the answer before its upstream had counted it
] as const;
export type UsageDoubt = (typeof usageDoubts)[number];

export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
export type FinishReason = (typeof finishReasons)[number];

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model produced it. */
  readonly arguments: string;
  /** Opaque value that the upstream wants back with this call, unchanged. */
  readonly thoughtSignature?: string;
}

/*
 * Members called `native` hold what the upstream sent in its own dialect, with all digits of its numbers. They
 * exist only if the call asked for them (`ChatCall.keepNative`), for callers of the same dialect; all others
 * ignore them.
 */

/** `unknownEnding` is the upstream's finish reason, for the log, if the gateway does not know it. */
export interface Completion {
  readonly kind: 'completion';
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: FinishReason;
  /** Null when the upstream reported none. */
  readonly usage: Usage | null;
  /** The complete body, validated; absent if the answer no longer equals what the upstream sent. */
  readonly native?: JsonObject;
  /** The stop sequence at which the gateway cut the text. */
  readonly stop?: string;
  readonly unknownEnding?: string;
}

/** Pieces of a streamed answer, in stream order. */
export type StreamPiece =
  /** `native`: the part that contained it (generate-content). */
  | { readonly kind: 'text'; readonly text: string; readonly native?: JsonObject }
  | {
      readonly kind: 'tool_start';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly thoughtSignature?: string;
      /** The part that contains the whole call, including arguments (generate-content). */
      readonly native?: JsonObject;
    }
  | { readonly kind: 'tool_arguments'; readonly index: number; readonly text: string }
  /**
   * Content that the common form cannot express, such as thinking. For messages it is an event: the start, a delta
   * or the stop of such a block, or a non-text delta of a text block. For generate-content it is a part.
   */
  | { readonly kind: 'native'; readonly native: JsonObject };

/** The regular end of a stream. */
export interface StreamEnd {
  readonly kind: 'end';
  readonly finish: FinishReason;
  readonly usage: Usage | null;
  /**
   * messages: `stop_reason`, `stop_sequence`, and `usage` with all counts of the stream, where later counts
   * replace earlier ones. generate-content: the last response with its candidate, but without `content`, and the
   * last `usageMetadata`.
   */
  readonly native?: JsonObject;
  /** The stop sequence at which the gateway cut the text. */
  readonly stop?: string;
  /** The gateway cut the upstream off before it had reported counts. */
  readonly isCut?: true;
  readonly unknownEnding?: string;
}

/** The result of the next read of a stream; nothing follows `end` or `failure`. */
export type StreamStep =
  | { readonly kind: 'pieces'; readonly pieces: readonly StreamPiece[] }
  | StreamEnd
  | UpstreamFailure
  | ClientLeft;

/** A stream whose first pieces, or regular end, have arrived. */
export interface OpenStream {
  readonly kind: 'stream';
  readonly first: StreamStep;
  next(): Promise<StreamStep>;
  /** Usage as last reported, for streams that do not reach their end. */
  lastUsage(): Usage | null;
  /** Bytes of text that were produced and belong to no piece, such as reasoning. */
  hiddenBytes(): number;
  /** Limits the time for the rest of the stream; if it still runs then, it fails. */
  hurry(withinMs: number): void;
  /** Ends the upstream call at once if it still runs. */
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
