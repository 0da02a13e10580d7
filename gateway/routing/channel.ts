import type { ChannelDialect } from '../catalogue/dialects.ts';

/** A way to an upstream that serves a model. */
export interface Channel {
  /** Public id: what `error.channel` shows. */
  readonly id: string;
  readonly dialect: ChannelDialect;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Native name of the model asked for. */
  readonly nativeModel: string;
  /** The upstream's models take stop sequences; for others we halt ourselves. */
  readonly takesStop: boolean;
  /** Its upstream is asked to report back when a job changes. */
  readonly takesCallbacks: boolean;
}
