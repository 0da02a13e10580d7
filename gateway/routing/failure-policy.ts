import type { FailureReason } from '../upstreams/outcome.ts';

export interface FailurePolicy {
  /** Where another attempt may help: anywhere, on another channel alone, or nowhere (B-106). */
  readonly retry: 'anywhere' | 'elsewhere' | 'never';
  /**
   * What it says about the channel (B-108): that it fails, that its account is no use for a while, or nothing at all,
   * because the request was at fault.
   */
  readonly blame: 'channel' | 'account' | 'nobody';
}

/** The one place that says what follows from a failure. */
export const failurePolicy: Readonly<Record<FailureReason, FailurePolicy>> = {
  timeout: { retry: 'anywhere', blame: 'channel' },
  connection: { retry: 'anywhere', blame: 'channel' },
  server: { retry: 'anywhere', blame: 'channel' },
  busy: { retry: 'anywhere', blame: 'channel' },
  exhausted: { retry: 'elsewhere', blame: 'account' },
  credentials: { retry: 'never', blame: 'account' },
  unusable: { retry: 'never', blame: 'channel' },
  context: { retry: 'never', blame: 'nobody' },
  policy: { retry: 'never', blame: 'nobody' },
  bad_request: { retry: 'never', blame: 'nobody' },
};
