import type { ClientLeft, UpstreamFailure } from '../outcome.ts';

/** An image from an upstream: bytes in its answer, or a link that may expire soon. */
export type UpstreamImage = (
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'link'; readonly url: string }
) & {
  /** The prompt that was actually used; null when it is the caller's. */
  readonly revisedPrompt: string | null;
};

/** The answer to a call for images: exactly as many as requested, never fewer (fault M12). */
export interface ImagesMade {
  readonly kind: 'images';
  readonly images: readonly UpstreamImage[];
}

export type ImagesOutcome = ImagesMade | UpstreamFailure | ClientLeft;

/** A job that an upstream has accepted. */
export interface JobStarted {
  readonly kind: 'started';
  /** The upstream's own id of the job. */
  readonly nativeId: string;
}

/**
 * The outcome of starting a job. `unclear`: it is unknown whether a job exists now (faults J2, J3), so it must not
 * be started on another channel. The same start on the same channel is safe.
 */
export type StartOutcome = JobStarted | (UpstreamFailure & { readonly isUnclear: boolean });

/** An output of a job. */
export interface JobOutput {
  readonly url: string;
  /** Duration of video or audio in whole seconds, as reported by the upstream; null when it reports none. */
  readonly durationSec: number | null;
}

/** The state of a job as its upstream reports it. Unknown names count as `running` (fault J5). */
export type JobState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly outputs: readonly JobOutput[] }
  /** Failed or cancelled at the upstream: the reason for the caller, never the upstream's text. */
  | { readonly kind: 'failed'; readonly reason: JobFailure };

/**
 * Why a job failed, as far as reported: blocked by policy, a bad input, a parent job that no longer exists (J18),
 * or other.
 */
export type JobFailure = 'policy' | 'bad_input' | 'parent_gone' | 'other';

/**
 * The outcome of polling a job; `gone`: the upstream does not know it. `askAgainMs` is the delay that the upstream
 * asks for.
 */
export type PollOutcome =
  | { readonly kind: 'state'; readonly state: JobState; readonly askAgainMs: number | null }
  | { readonly kind: 'gone' }
  | UpstreamFailure;
