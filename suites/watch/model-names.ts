import { mayStandIn } from '../oracle/exchange/judge-exchange.ts';
import type { Finding } from '../rules/violation.ts';

/**
 * The public model names in lists that passed. An answer may name a fallback model, whose name is public too. Any other name
 * is an upstream's.
 */
export class ModelNames {
  readonly #public = new Set<string>();
  #hasList = false;

  /** Whether a list of models has passed, without which some names are unknown. */
  get isKnown(): boolean {
    return this.#hasList;
  }

  /** Adds a list of models that passed. */
  listed(ids: readonly string[]): void {
    this.#hasList = true;
    for (const id of ids) this.#public.add(id);
  }

  /** Whether a finding says only that another public model has answered. */
  mayStandIn(finding: Finding): boolean {
    return mayStandIn(finding, [...this.#public]);
  }
}
