import type { UpstreamClient } from '../client.ts';
import type { UpstreamFailure } from '../outcome.ts';
import type { MediaTarget } from './ask-json.ts';
import type { JobStarted, PollOutcome, StartOutcome } from './media-outcome.ts';

/** One request to an upstream to start a job. */
export interface StartCall extends MediaTarget {
  /** The native body, as JSON text. */
  readonly body: string;
  /** Names the job: the same start under the same name is the same job, as far as the upstream can tell. */
  readonly key: string;
  /** Our field that the upstream names by a path of its own; null when it is none of the request's. */
  fieldOf(path: unknown): string | null;
  /** The field whose size is that of the request. */
  readonly largest: string;
}

/** How jobs are spoken of in one dialect. Bodies are made in requests/native-body. Nothing here ever rejects. */
export interface JobDialect {
  start(client: UpstreamClient, call: StartCall): Promise<StartOutcome>;
  /**
   * The job that was started under a name, or that there is none. Left out where the same start twice is one job:
   * there a second start asks.
   */
  find?(
    client: UpstreamClient,
    target: MediaTarget,
    key: string,
  ): Promise<JobStarted | { readonly kind: 'none' } | UpstreamFailure>;
  poll(client: UpstreamClient, target: MediaTarget, nativeId: string): Promise<PollOutcome>;
}
