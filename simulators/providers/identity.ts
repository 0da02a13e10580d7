import type { RequestOrigin } from './dialect.ts';

/** The facts that identify an answer. They seed its ids; time never does. */
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
