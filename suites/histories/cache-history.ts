import fc from 'fast-check';
import { usageCounts } from '../generators/usage-counts.ts';
import type { UsageCounts } from '../oracle/price.ts';
import { type Life, lives } from '../oracle/world/cache-book.ts';

/** One call of a history. Indices wrap around. */
export interface CacheTurn {
  readonly do: 'turn';
  /** The index of the conversation; for a call with scripted counts, of the model. */
  readonly thread: number;
  readonly isCompat: boolean;
  readonly stream: boolean;
  readonly payer: number;
  /** The counts that the upstream is scripted to report. Null: it counts by itself, and caches hinted blocks. */
  readonly counted: Counted | null;
  /** Whether the conversation gets one more long block before this call. */
  readonly grows: boolean;
}

export interface Counted extends UsageCounts {
  /** How many more tokens were cached than the prompt has, if the dialect can report that. */
  readonly beyond: number;
  /** Whether its caller disconnects in the middle of the stream. */
  readonly leaves: boolean;
  /** Whether its prompt has a cache hint, which is free when nothing was written. */
  readonly isHinted: boolean;
}

export type CacheStep =
  | CacheTurn
  /** A wait shorter than the lifetime of any cache entry, or just longer than one of the lifetimes. */
  | { readonly do: 'pass'; readonly what: 'within' | Life };

/** Some conversations, with the cache lifetime of each long block, and the steps in them. */
export interface CacheHistory {
  readonly threads: readonly (readonly Life[])[];
  readonly steps: readonly CacheStep[];
}

/** The weights of the steps in a kind of history. */
export interface CacheKind {
  readonly own: number;
  readonly counted: number;
  readonly pass: number;
  /** The most calls and waits of one history. */
  readonly longest: number;
  /** The only kind of token with a multiplier in the reported counts; default: any. */
  readonly special?: keyof typeof specials;
}

const specials = {
  cached: 'cached_tokens',
  '5m': 'cache_write_5m_tokens',
  '1h': 'cache_write_1h_tokens',
} as const;

const place = fc.nat({ max: 99 });
const call = { thread: place, isCompat: fc.boolean(), stream: fc.boolean(), payer: place };

const counted = fc
  .record({
    counts: usageCounts('messages'),
    beyond: fc.option(fc.integer({ min: 1, max: 5_000 }), { freq: 4 }),
    leaves: fc.boolean(),
    isHinted: fc.boolean(),
  })
  .map(({ counts, beyond, ...more }): Counted => ({ ...counts, beyond: beyond ?? 0, ...more }));

/** The same counts, with all cached and written tokens moved to one kind. */
function onlyOf(kind: keyof typeof specials, counts: Counted): Counted {
  const special = counts.cached_tokens + counts.cache_write_5m_tokens + counts.cache_write_1h_tokens;
  const none = { cached_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };
  return { ...counts, ...none, beyond: 0, [specials[kind]]: special };
}

/** Histories of a kind. They shrink to fewer steps. */
export function cacheHistories(kind: CacheKind): fc.Arbitrary<CacheHistory> {
  const { own, counted: given, pass, longest, special } = kind;
  const turn = (counts: fc.Arbitrary<Counted | null>): fc.Arbitrary<CacheStep> =>
    fc.record({ do: fc.constant('turn' as const), ...call, counted: counts, grows: fc.boolean() });
  const step = fc.oneof(
    { weight: own, arbitrary: turn(fc.constant(null)) },
    {
      weight: given,
      arbitrary: turn(special === undefined ? counted : counted.map((one) => onlyOf(special, one))),
    },
    {
      weight: pass,
      arbitrary: fc.record({
        do: fc.constant('pass' as const),
        what: fc.constantFrom('within' as const, ...lives),
      }),
    },
  );
  return fc.record({
    // The upstream requires longer lifetimes before shorter ones in a prompt.
    threads: fc.array(
      fc.array(fc.constantFrom(...lives), { minLength: 1, maxLength: 3 }).map((all) => all.toSorted()),
      { minLength: 1, maxLength: 3 },
    ),
    steps: fc.array(step, { minLength: 2, maxLength: longest, size: 'max' }),
  });
}
