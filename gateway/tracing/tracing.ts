import type { Exchange } from '../http/exchange.ts';
import type { UpstreamClient } from '../upstreams/client.ts';

/** The span of one request. */
export interface RequestSpan {
  /** Runs `work` within the request's span, so that attempts at upstreams become its children. */
  run<Result>(work: () => Result): Result;
  /** Ends the span when the log line of the request is written. */
  end(): void;
}

/** Traces of requests and of attempts at upstreams. They hold no text of callers or models, no key and no query. */
export interface Tracing {
  begin(exchange: Exchange): RequestSpan;
  /**
   * Runs work for a request that may be over, or that another process received. Its attempts name the request, and belong to
   * no other trace.
   */
  onBehalf<Result>(requestId: string, work: () => Result): Result;
  /** Wraps the client: each attempt gets one span, whose context is sent to the upstream. */
  attempts(client: UpstreamClient): UpstreamClient;
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>;
}
