import type { Exchange } from './exchange.ts';

/** A request as the dialects see it: read to its end, its address without lane and channel. */
export interface NativeRequest {
  readonly method: string;
  /** From the version segment on, without the query: `/v1/chat/completions`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name; of repeated ones the first. */
  readonly headers: ReadonlyMap<string, string>;
  readonly channel: string;
  readonly body: Buffer;
  /** Larger than anything accepted; `body` is then not whole. */
  readonly isTooLarge: boolean;
}

/** What a dialect may use beside the request. */
export interface DialectContext {
  /** The seed of the process. */
  readonly seed: number;
}

/** One native protocol: everything of it lives in its own folder. */
export interface Dialect {
  readonly name: string;
  /** Whether the path is one of its own, whatever the method. */
  serves(path: string): boolean;
  /** Answers completely, refusals included; only {@link Exchange} errors may come out. */
  answer(exchange: Exchange, request: NativeRequest, context: DialectContext): Promise<void>;
}
