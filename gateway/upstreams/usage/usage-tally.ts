import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage, UsageDoubt } from '../outcome.ts';
import { arrange } from './arrange-counts.ts';
import { PartialCounts } from './partial-counts.ts';
import { type CountName, type Counts, readReport, usagesIn, writesIn } from './read-report.ts';

type Beside = { readonly cache: boolean; readonly reasoning: boolean };

/**
 * One side of an answer (prompt or completion): counts that are reported together, and their sum, as far as names show it.
 */
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
 * Adds up what an upstream reports about the tokens of one answer, plain or streamed, in any dialect. Reports contradict each
 * other. So consistency decides, never the last report:
 * 1. A side is taken from the report with most tokens for it. So a later zero, null, invalid or smaller number replaces
 * nothing. Of equal sums, the one with more cached tokens wins.
 * 2. A total proves which parts (reasoning, cache, tool use) are separate from their count and which are included. Without a
 * total the names decide, and reasoning that exceeds the completion is separate.
 * 3. A side that was not reported is the rest of the total.
 * 4. Cached and written tokens never exceed the prompt, so that no part of a charge is negative.
 * 5. Reports beside each of several pieces of text, of which none counts as many tokens as there are pieces, are parts of
 * their sum: see {@link PartialCounts}.
 * A contradiction is a doubt of the usage and never a failure of the channel.
 */
export class UsageTally {
  #counts: Counts = {};
  readonly #doubts = new Set<UsageDoubt>();
  #isBeside: Beside = { cache: false, reasoning: false };

  readonly #parts = new PartialCounts();

  /** Reads the usage in a body or an event. */
  take(body: JsonObject): void {
    for (const native of usagesIn(body)) this.#add(native);
  }

  /** A piece of text has arrived with the event that was taken last. */
  sawPiece(): void {
    this.#parts.sawPiece();
  }

  /** The counts so far; null if no count above zero was reported. */
  usage(): Usage | null {
    const sum = this.#parts.sum(this.#counts.completion ?? 0);
    const counts = sum === null ? this.#counts : { ...this.#counts, completion: sum, total: 0 };
    return arrange(counts, this.#isBeside, this.#doubts);
  }

  #add(native: unknown): void {
    if (!isObject(native)) {
      this.#doubts.add('unreadable');
      return;
    }
    const { counts, isUnreadable, isBeside } = readReport(native);
    if (isUnreadable) this.#doubts.add('unreadable');
    this.#parts.add(counts);
    this.#isBeside = { ...this.#isBeside, ...isBeside };
    const before = this.#sum(promptSide) + this.#sum(completionSide);
    this.#takeSide(promptSide, withoutCache(counts, this.#counts, this.#sum(promptSide)));
    this.#takeSide(completionSide, { ...this.#restOf(counts), ...counts });
    // A total belongs to the counts that came with it.
    const hasRisen = this.#sum(promptSide) + this.#sum(completionSide) > before;
    const { total = 0 } = counts;
    this.#counts = { ...this.#counts, total: hasRisen ? total : Math.max(total, this.#counts.total ?? 0) };
  }

  /** What a later total leaves for a completion that its own report no longer states. */
  #restOf({ total, ...stated }: Counts): Counts {
    if (total === undefined || stated.prompt === undefined || this.#counts.completion === undefined)
      return {};
    const sides = promptSide.sum(stated, this.#isBeside) + completionSide.sum(stated, this.#isBeside);
    return { completion: Math.max(0, total - sides) };
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

/** Some proxies first report an input without the cache, and later the same input with it. The later count adds nothing. */
function withoutCache({ prompt, ...counts }: Counts, known: Counts, sum: number): Counts {
  return prompt === undefined || (cacheOf(known) > 0 && prompt === sum) ? counts : { ...counts, prompt };
}
