import type { Reply } from '../../simulators/control/client.ts';
import type { Profile } from '../profile/profile.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { isTroublesome, modelAsked, showsUpstreamTrouble, type TouchedModel } from './upstream-trouble.ts';

/**
 * Which models a check may have worn out: those whose answers told of a failing upstream, all that it asked when it
 * scripted a failure (a second attempt hides the first one), and those with several channels, which hide theirs.
 */
export class DegradedModels {
  readonly #hiding: ReadonlySet<string>;
  readonly #asked = new Map<string, TouchedModel>();
  readonly #degraded = new Set<string>();
  #scripted = false;

  constructor(profile: Profile) {
    const { routes = [], doors: listeners = {} } = profile.upstream ?? {};
    this.#hiding = new Set([
      ...routes.flatMap(({ model, fallback }) => [model, ...(fallback === undefined ? [] : [fallback])]),
      ...Object.values(listeners).flatMap(({ alone, spared }) => [alone, spared]),
    ]);
  }

  noteScript(replies: readonly Reply[]): void {
    this.#scripted ||= replies.some(isTroublesome);
  }

  /** Told of every request, with what came of it, and of the key by which a worn model is to be looked after. */
  noteExchange(
    request: WireRequest,
    exchange: Exchange,
    ownerOf: (key: string) => string = (key) => key,
  ): void {
    const found = modelAsked(request);
    if (found === null) return;
    const asked = { ...found, key: ownerOf(found.key) };
    const id = JSON.stringify(asked);
    this.#asked.set(id, asked);
    if (this.#hiding.has(asked.model) || showsUpstreamTrouble(exchange)) this.#degraded.add(id);
  }

  /** What is to be looked after before anybody else uses these models. */
  get models(): readonly TouchedModel[] {
    return [...this.#asked].flatMap(([id, asked]) =>
      this.#scripted || this.#degraded.has(id) ? [asked] : [],
    );
  }
}
