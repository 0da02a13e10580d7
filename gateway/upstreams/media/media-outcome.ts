import type { ClientLeft, UpstreamFailure } from '../outcome.ts';

/** One picture as an upstream gave it: bytes in its answer, or a link to them that may end soon. */
export type UpstreamImage = (
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'link'; readonly url: string }
) & {
  /** The prompt that was really used; null when it is the caller's. */
  readonly revisedPrompt: string | null;
};

/** A whole answer to a call for pictures: as many as were asked for, never fewer (fault M12). */
export interface ImagesMade {
  readonly kind: 'images';
  readonly images: readonly UpstreamImage[];
}

export type ImagesOutcome = ImagesMade | UpstreamFailure | ClientLeft;

/** A job that an upstream has taken on. */
export interface JobStarted {
  readonly kind: 'started';
  /** The upstream's own id of the job. */
  readonly nativeId: string;
}

/**
 * What came of starting a job. `unclear`: whether there is a job now nobody can tell (faults J2, J3), so that it must not
 * be started anywhere else; the same start on the same channel is safe.
 */
export type StartOutcome = JobStarted | (UpstreamFailure & { readonly isUnclear: boolean });

/** One thing that a job has made. */
export interface JobOutput {
  readonly url: string;
  /** Length of video or sound in whole seconds, as the upstream says; null when it does not. */
  readonly durationSec: number | null;
}

/** How an upstream says that a job stands. Words that nobody knows are `running` (fault J5). */
export type JobState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly outputs: readonly JobOutput[] }
  /** Failed or cancelled upstream: a reason to tell the caller by, never the upstream's words. */
  | { readonly kind: 'failed'; readonly reason: JobFailure };

/** Why a job failed, as far as an upstream says: blocked by its policy, a bad input, a parent that is gone (J18), or else. */
export type JobFailure = 'policy' | 'bad_input' | 'parent_gone' | 'other';

/** What came of asking after a job; `gone`: the upstream does not know it. `askAgainMs` is what the upstream asks for. */
export type PollOutcome =
  | { readonly kind: 'state'; readonly state: JobState; readonly askAgainMs: number | null }
  | { readonly kind: 'gone' }
  | UpstreamFailure;
