import type { ChannelDialect } from '../catalogue/dialects.ts';
import type { CapacityLimits } from './capacity.ts';

/** A channel: one way to reach an upstream that serves a model. */
export interface Channel {
  /** Public id: the value of `error.channel`. */
  readonly id: string;
  readonly dialect: ChannelDialect;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The upstream's name for the requested model. */
  readonly nativeModel: string;
  /** Whether the upstream's models accept stop sequences; if not, the gateway enforces them. */
  readonly takesStop: boolean;
  /** Maximum answer tokens for a request without a limit, where the upstream accepts fewer than its window. */
  readonly outputTokens: number | null;
  /** Whether the upstream is asked for a callback when a job changes. */
  readonly takesCallbacks: boolean;
}

/** What is known of one channel of one model. */
export interface LiveChannelFacts {
  readonly channel: Channel;
  /** Our id of the model. */
  readonly modelId: string;
  /** It serves all accounts; a private one serves those of one customer. */
  readonly isShared: boolean;
  /** The lowest number is asked first. */
  readonly priority: number;
  /** Share of the traffic among channels of equal rank. */
  readonly weight: number;
  readonly room: CapacityLimits;
}
