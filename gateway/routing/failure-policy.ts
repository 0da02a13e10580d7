import type { FailureReason } from '../upstreams/outcome.ts';

export interface FailurePolicy {
  /** Where another attempt may help: on any channel, only on another channel, or nowhere (B-106). */
  readonly retry: 'anywhere' | 'elsewhere' | 'never';
  /**
   * What the failure counts against (B-108): the channel, its upstream account (which is then avoided for a while), or
   * nothing, because the request caused it.
   */
  readonly blame: 'channel' | 'account' | 'nobody';
}

/** The only place that defines what follows from a failure. */
export const failurePolicy: Readonly<Record<FailureReason, FailurePolicy>> = {
  timeout: { retry: 'anywhere', blame: 'channel' },
  connection: { retry: 'anywhere', blame: 'channel' },
  server: { retry: 'anywhere', blame: 'channel' },
  busy: { retry: 'anywhere', blame: 'channel' },
  exhausted: { retry: 'elsewhere', blame: 'account' },
  credentials: { retry: 'elsewhere', blame: 'account' },
  unusable: { retry: 'never', blame: 'channel' },
  garbled: { retry: 'anywhere', blame: 'nobody' },
  context: { retry: 'never', blame: 'nobody' },
  policy: { retry: 'never', blame: 'nobody' },
  bad_request: { retry: 'never', blame: 'nobody' },
  refused: { retry: 'never', blame: 'nobody' },
};
