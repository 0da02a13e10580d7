import { createHash } from 'node:crypto';
import type { Tenant } from '../../state/tenant.ts';
import type { CacheTtl, PromptBlock } from './prompt-blocks.ts';

/** How one prompt used the cache, in tokens. */
export interface CacheUse {
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
}

const lifeMs: Readonly<Record<CacheTtl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

/** The number of block boundaries checked for a cached prefix, counted back from each cache hint and including its own. */
const observationBackBlocks = 20;

const maxEntries = 1000;

interface Entry {
  readonly ttl: CacheTtl;
  readonly endsMs: number;
}

/** The end of a block, and the prefix up to it. */
interface Boundary {
  readonly key: string;
  readonly tokens: number;
  readonly ttl: CacheTtl | null;
}

/**
 * The prompt cache of one tenant: prefixes that end at a block with a cache hint, for the lifetime of that hint.
 */
export class PromptCache {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();

  /**
   * Reads the longest cached prefix, and writes what follows up to the last cache hint. Each written section lives
   * as long as the hint at its end says. Reading a prefix renews its lifetime. Hints on prefixes of fewer than
   * `minTokens` are ignored. Prompts with a different `scope` never share entries.
   */
  use(scope: string, blocks: readonly PromptBlock[], minTokens: number, nowMs: number): CacheUse {
    const use = { read: 0, written5m: 0, written1h: 0 };
    if (blocks.every(({ ttl }) => ttl === null)) return use;
    const boundaries = boundariesOf(scope, blocks);
    const marks = [...boundaries.entries()].flatMap(([at, { ttl, tokens, key }]) =>
      ttl === null || tokens < minTokens ? [] : [{ at, ttl, tokens, key }],
    );
    const hit = this.#findLongest(boundaries, marks, nowMs);
    let from = boundaries[hit]?.tokens ?? 0;
    use.read = from;
    for (const boundary of boundaries.slice(0, hit + 1)) this.#renew(boundary.key, nowMs);
    for (const { ttl, tokens, key } of marks.filter(({ at }) => at > hit)) {
      use[ttl === '1h' ? 'written1h' : 'written5m'] += tokens - from;
      from = tokens;
      this.#put(key, ttl, nowMs);
    }
    return use;
  }

  /** The index of the longest cached prefix; -1 when there is none. */
  #findLongest(boundaries: readonly Boundary[], marks: readonly { at: number }[], nowMs: number): number {
    const within = (at: number): boolean =>
      marks.some((mark) => at <= mark.at && at > mark.at - observationBackBlocks);
    return boundaries.findLastIndex(({ key }, at) => within(at) && this.#isLive(key, nowMs));
  }

  #isLive(key: string, nowMs: number): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && nowMs < entry.endsMs;
  }

  #renew(key: string, nowMs: number): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined && nowMs < entry.endsMs) this.#put(key, entry.ttl, nowMs);
  }

  #put(key: string, ttl: CacheTtl, nowMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { ttl, endsMs: nowMs + lifeMs[ttl] });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }
}

const caches = new WeakMap<object, PromptCache>();

/** The cache of the tenant; a reset empties it. */
export function cacheOf(tenant: Tenant): PromptCache {
  const known = caches.get(tenant.generation);
  if (known !== undefined) return known;
  const cache = new PromptCache();
  caches.set(tenant.generation, cache);
  return cache;
}

/** Each key is a digest of the whole prefix, so equal keys mean equal prefixes. */
function boundariesOf(scope: string, blocks: readonly PromptBlock[]): Boundary[] {
  let key = digest('', scope);
  let tokens = 0;
  return blocks.map((block) => {
    key = digest(key, block.text);
    tokens += block.tokens;
    return { key, tokens, ttl: block.ttl };
  });
}

function digest(before: string, text: string): string {
  return createHash('sha256').update(before).update('\n').update(text).digest('base64url');
}
