import type { UpstreamClient } from '../client.ts';
import type { UpstreamFailure } from '../outcome.ts';
import type { MediaTarget } from './ask-json.ts';
import type { JobStarted, PollOutcome, StartOutcome } from './media-outcome.ts';

/** A request to an upstream to start a job. */
export interface StartCall extends MediaTarget {
  /** The native body, as JSON text. */
  readonly body: string;
  /** Names the job: for the upstream, starts with the same key are one job. */
  readonly key: string;
  /** Our field for the upstream's path; null when it is not one of the request's. */
  fieldOf(path: unknown): string | null;
  /** The field to blame when the request is too large. */
  readonly largest: string;
}

/** How one dialect handles jobs. requests/native-body makes the bodies. Nothing here ever rejects. */
export interface JobDialect {
  start(client: UpstreamClient, call: StartCall): Promise<StartOutcome>;
  /**
   * Looks up the job that was started with a key. Absent for dialects where repeating a start makes no second job:
   * there a second start finds the job.
   */
  find?(
    client: UpstreamClient,
    target: MediaTarget,
    key: string,
  ): Promise<JobStarted | { readonly kind: 'none' } | UpstreamFailure>;
  poll(client: UpstreamClient, target: MediaTarget, nativeId: string): Promise<PollOutcome>;
}
