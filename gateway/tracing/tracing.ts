import type { Exchange } from '../http/exchange.ts';
import type { UpstreamClient } from '../upstreams/client.ts';

/** The span of one request. */
export interface RequestSpan {
  /** Runs what belongs to the request, so that its attempts at upstreams become parts of it. */
  run<Result>(work: () => Result): Result;
  /** Ends it, when the log line of the request is written. */
  end(): void;
}

/** Traces of requests and of attempts at upstreams. They hold no text of callers or models, no key and no query. */
export interface Tracing {
  begin(exchange: Exchange): RequestSpan;
  /**
   * Runs what is done for a request that may be over, or have come to another process: its attempts name the request, and
   * belong to no other one's trace.
   */
  onBehalf<Result>(requestId: string, work: () => Result): Result;
  /** The client with one span an attempt, whose context travels with the attempt. */
  attempts(client: UpstreamClient): UpstreamClient;
  /** Sends what has not been sent, within a bounded time. */
  close(): Promise<void>;
}
