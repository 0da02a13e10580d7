import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { Usage, UsageDoubt } from '../outcome.ts';
import { arrange } from './arrange-counts.ts';
import { type CountName, type Counts, readReport, usagesIn, writesIn } from './read-report.ts';

/**
 * Adds up what an upstream reports about the tokens of one answer, plain or streamed, in any dialect. Reports
 * contradict each other, so consistency decides and never the last word:
 *
 * 1. A known count is not replaced by zero, null, nonsense or a smaller restatement.
 * 2. A total proves which parts (reasoning, cache, tool use) stand beside their count and which inside it. Without
 *    a total the names decide, and reasoning that exceeds the completion stands beside it.
 * 3. A side that nobody counted is what the total leaves for it.
 * 4. Cached and written tokens never exceed the prompt, so that no part of a charge is negative.
 *
 * A contradiction is a doubt of the usage and never a failure of the channel.
 */
export class UsageTally {
  readonly #counts: Counts = {};
  readonly #doubts = new Set<UsageDoubt>();
  #isBeside = { cache: false, reasoning: false };

  /** Takes what a body or an event says about usage; null when that is nothing. */
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
    const given = this.#withoutSum(counts);
    const { total = 0 } = given;
    let hasRisen = false;
    for (const [name, count] of Object.entries(given) as [CountName, number][])
      if (name !== 'total') hasRisen = this.#raise(name, count) || hasRisen;
    // A total belongs to the counts that came with it.
    if (total > 0) this.#counts.total = hasRisen ? total : Math.max(total, this.#counts.total ?? 0);
    else if (hasRisen) delete this.#counts.total;
  }

  #raise(name: CountName, count: number): boolean {
    const before = this.#counts[name];
    if (before !== undefined && count <= before) {
      if (count > 0 && count < before) this.#doubts.add('restated');
      return false;
    }
    this.#counts[name] = count;
    return count > 0;
  }

  /** Some proxies restate an input that excluded the cache as one that includes it, or the other way round. */
  #withoutSum(counts: Counts): Counts {
    const known = this.#counts.prompt ?? 0;
    const { prompt, ...rest } = counts;
    if (!this.#isBeside.cache || prompt === undefined || known === 0) return counts;
    const knownCache = cacheIn(this.#counts);
    if (knownCache > 0 && prompt === known + knownCache) return rest;
    if (knownCache === 0 && cacheIn(counts) > 0 && known === prompt + cacheIn(counts))
      this.#counts.prompt = prompt;
    return counts;
  }
}

function cacheIn(counts: Counts): number {
  return (counts.cached ?? 0) + writesIn(counts).written;
}
