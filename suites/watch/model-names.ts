import { mayStandIn } from '../oracle/exchange/judge-exchange.ts';
import type { Finding } from '../rules/violation.ts';

/**
 * The public names of models, as far as they have passed. An answer may name the model that stood in for the one that was
 * asked, which is public as well; a name that is not is that of an upstream.
 */
export class ModelNames {
  readonly #public = new Set<string>();
  #hasList = false;

  /** Whether a list of models has passed, without which some names are unknown. */
  get isKnown(): boolean {
    return this.#hasList;
  }

  /** A list of models that passed. */
  listed(ids: readonly string[]): void {
    this.#hasList = true;
    for (const id of ids) this.#public.add(id);
  }

  /** Whether a finding says only that another public model has answered. */
  mayStandIn(finding: Finding): boolean {
    return mayStandIn(finding, [...this.#public]);
  }
}
