import type { ChannelDialect } from '../catalogue/dialects.ts';

/** A way to an upstream that serves a model. */
export interface Channel {
  /** Public id: the value of `error.channel`. */
  readonly id: string;
  readonly dialect: ChannelDialect;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The upstream's name for the requested model. */
  readonly nativeModel: string;
  /** The upstream's models accept stop sequences; for others the gateway enforces them itself. */
  readonly takesStop: boolean;
  /** Most tokens of an answer to a request that states no limit, where the upstream takes fewer than its window. */
  readonly outputTokens: number | null;
  /** The upstream is asked to call back when a job changes. */
  readonly takesCallbacks: boolean;
}
