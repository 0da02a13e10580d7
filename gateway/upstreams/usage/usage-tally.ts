import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage, UsageDoubt } from '../outcome.ts';
import { arrange } from './arrange-counts.ts';
import { type CountName, type Counts, readReport, usagesIn, writesIn } from './read-report.ts';

type Beside = { readonly cache: boolean; readonly reasoning: boolean };

/** A side of an answer: the counts that are stated and restated together, and their sum, as far as names show it. */
interface Side {
  readonly names: readonly CountName[];
  readonly sum: (counts: Counts, isBeside: Beside) => number;
}

const promptSide: Side = {
  names: ['prompt', 'cached', 'written', 'written5m', 'written1h', 'toolUse'],
  sum: (counts, { cache }) => (counts.prompt ?? 0) + (counts.toolUse ?? 0) + (cache ? cacheOf(counts) : 0),
};
const completionSide: Side = {
  names: ['completion', 'reasoning'],
  sum: (counts, { reasoning }) => (counts.completion ?? 0) + (reasoning ? (counts.reasoning ?? 0) : 0),
};

/**
 * Adds up what an upstream reports about the tokens of one answer, plain or streamed, in any dialect. Reports
 * contradict each other, so consistency decides and never the last word:
 *
 * 1. A side is what the report with most tokens says of it. So a later zero, null, nonsense or smaller number
 *    replaces nothing. Of equal sums the one that shows more of a cache stands.
 * 2. A total proves which parts (reasoning, cache, tool use) stand beside their count and which inside it. Without
 *    a total the names decide, and reasoning that exceeds the completion stands beside it.
 * 3. A side that nobody counted is what the total leaves for it.
 * 4. Cached and written tokens never exceed the prompt, so that no part of a charge is negative.
 *
 * A contradiction is a doubt of the usage and never a failure of the channel.
 */
export class UsageTally {
  #counts: Counts = {};
  readonly #doubts = new Set<UsageDoubt>();
  #isBeside: Beside = { cache: false, reasoning: false };

  /** Takes what a body or an event says about usage. */
  take(body: JsonObject): void {
    for (const native of usagesIn(body)) this.#add(native);
  }

  /** The counts so far; null when none above zero was reported. */
  usage(): Usage | null {
    return arrange(this.#counts, this.#isBeside, this.#doubts);
  }

  #add(native: unknown): void {
    if (!isObject(native)) {
      this.#doubts.add('unreadable');
      return;
    }
    const { counts, isUnreadable, isBeside } = readReport(native);
    if (isUnreadable) this.#doubts.add('unreadable');
    this.#isBeside = { ...this.#isBeside, ...isBeside };
    const before = this.#sum(promptSide) + this.#sum(completionSide);
    this.#takeSide(promptSide, withoutCache(counts, this.#counts, this.#sum(promptSide)));
    this.#takeSide(completionSide, counts);
    // A total belongs to the counts that came with it.
    const hasRisen = this.#sum(promptSide) + this.#sum(completionSide) > before;
    const { total = 0 } = counts;
    this.#counts = { ...this.#counts, total: hasRisen ? total : Math.max(total, this.#counts.total ?? 0) };
  }

  #takeSide(side: Side, counts: Counts): void {
    const restated: Counts = { ...this.#counts };
    for (const name of side.names) if (counts[name] !== undefined) restated[name] = counts[name];
    const more = side.sum(restated, this.#isBeside) - this.#sum(side);
    if (more > 0 || (more === 0 && cacheOf(restated) >= cacheOf(this.#counts))) this.#counts = restated;
    else if (side.names.some((name) => (counts[name] ?? 0) > 0)) this.#doubts.add('restated');
  }

  #sum(side: Side): number {
    return side.sum(this.#counts, this.#isBeside);
  }
}

function cacheOf(counts: Counts): number {
  return (counts.cached ?? 0) + writesIn(counts).written;
}

/** Some proxies restate an input that stood apart from the cache as one that includes it: it says nothing new. */
function withoutCache({ prompt, ...counts }: Counts, known: Counts, sum: number): Counts {
  return prompt === undefined || (cacheOf(known) > 0 && prompt === sum) ? counts : { ...counts, prompt };
}
