import type { Reply } from 'gatecheck-simulators/client';
import type { Profile } from '../profile/profile.ts';
import type { WireRequest } from '../wire/client.ts';
import { type Exchange, errorCodeOf } from '../wire/exchange.ts';
import { isTroublesome, modelAsked, showsUpstreamTrouble, type TouchedModel } from './upstream-trouble.ts';

/**
 * The models that a check may have left degraded. These are the models whose answers reported a failing upstream.
 * Where the check scripted a failure, they are all models that it called, because a retry hides the first failure.
 * Models with several channels count too, because their other channels hide failures.
 */
export class DegradedModels {
  readonly #hiding: ReadonlySet<string>;
  readonly #asked = new Map<string, TouchedModel>();
  readonly #degraded = new Set<string>();
  #scripted = false;

  constructor(profile: Profile) {
    const { routes = [], broken_listeners: listeners = {} } = profile.upstream ?? {};
    this.#hiding = new Set([
      ...routes.flatMap(({ model, fallback }) => [model, ...(fallback === undefined ? [] : [fallback])]),
      ...Object.values(listeners).flatMap(({ alone, spared }) => [alone, spared]),
    ]);
  }

  noteScript(replies: readonly Reply[]): void {
    this.#scripted ||= replies.some(isTroublesome);
  }

  /** Notes a request, its outcome, and the key that can be used to recover a degraded model. */
  noteExchange(
    request: WireRequest,
    exchange: Exchange,
    ownerOf: (key: string) => string = (key) => key,
  ): void {
    const found = modelAsked(request);
    // An unknown model has no channel that could recover.
    if (found === null || errorCodeOf(exchange) === 'model_not_found') return;
    const asked = { ...found, key: ownerOf(found.key) };
    const id = JSON.stringify(asked);
    this.#asked.set(id, asked);
    if (this.#hiding.has(asked.model) || showsUpstreamTrouble(exchange)) this.#degraded.add(id);
  }

  /** The models that must recover before another check uses them. */
  get models(): readonly TouchedModel[] {
    return [...this.#asked].flatMap(([id, asked]) =>
      this.#scripted || this.#degraded.has(id) ? [asked] : [],
    );
  }
}
