import type { Exchange } from '../wire/exchange.ts';

/** How long after the answer of a served call its record and its charge may be posted, ms. */
export const postedWithinMs = 3_000;

/**
 * Calls of each tenant that were served a short while ago. Their charges may still follow, so a comparison of
 * balances waits for them first.
 */
export class ServedCalls {
  readonly #byTenant = new Map<string, Exchange[]>();

  /** Notes a call of a tenant to an endpoint that charges when it answers. */
  note(tenant: string, exchange: Exchange): void {
    const { response } = exchange;
    if (response === null || response.status >= 300) return;
    this.#byTenant.set(tenant, [...this.#recent(tenant), exchange]);
  }

  /** The calls since the last `take` whose charges may still follow. */
  take(tenant: string): readonly Exchange[] {
    const recent = this.#recent(tenant);
    this.#byTenant.delete(tenant);
    return recent;
  }

  #recent(tenant: string): Exchange[] {
    const since = Date.now() - postedWithinMs;
    return (this.#byTenant.get(tenant) ?? []).filter(({ endedAt }) => endedAt >= since);
  }
}
