import type { RequestOrigin } from './dialect.ts';

/** What identifies an answer; ids are seeded by it and never by time. */
export interface Identity {
  readonly seed: number;
  readonly tenant: string;
  readonly channel: string;
  /** The number of the request in its tenant. */
  readonly n: number;
  readonly nowMs: number;
}

export function identityOf(origin: RequestOrigin, channel: string, seed: number): Identity {
  return { seed, tenant: origin.tenant.name, channel, n: origin.n, nowMs: origin.now() };
}
