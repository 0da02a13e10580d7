import fc from 'fast-check';
import { usageCounts } from '../generators/usage-counts.ts';
import type { UsageCounts } from '../oracle/price.ts';
import { type Life, lives } from '../oracle/world/cache-book.ts';

/** One call of a history. Places wrap around. */
export interface CacheTurn {
  readonly do: 'turn';
  /** The conversation, or the model of a call that is counted for. */
  readonly thread: number;
  readonly isCompat: boolean;
  readonly stream: boolean;
  readonly payer: number;
  /** What its upstream says to have counted; null where it counts by itself, and keeps what has a hint. */
  readonly counted: Counted | null;
  /** Whether a conversation has one long block more than before. */
  readonly grows: boolean;
}

export interface Counted extends UsageCounts {
  /** How many more tokens were cached than the prompt has, where the dialect can say so. */
  readonly beyond: number;
  /** Whether its caller leaves in the middle of the stream. */
  readonly leaves: boolean;
  /** Whether its prompt has a cache hint, which costs nothing where nothing was written. */
  readonly isHinted: boolean;
}

export type CacheStep =
  | CacheTurn
  /** Less than the life of any slot, or just more than that of one. */
  | { readonly do: 'pass'; readonly what: 'within' | Life };

/** Some conversations, with the lives of the long blocks of each, and what happens in them. */
export interface CacheHistory {
  readonly threads: readonly (readonly Life[])[];
  readonly steps: readonly CacheStep[];
}

/** How much of what a kind of history has. */
export interface CacheKind {
  readonly own: number;
  readonly counted: number;
  readonly pass: number;
  /** The most calls and waits of one. */
  readonly longest: number;
  /** The only kind of token that has a multiplier in what upstreams state; any by default. */
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

/** The same counts with a share of the prompt in one kind of token, and none in the others. */
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
    // Of the blocks of one prompt those that are kept longer come first.
    threads: fc.array(
      fc.array(fc.constantFrom(...lives), { minLength: 1, maxLength: 3 }).map((all) => all.toSorted()),
      { minLength: 1, maxLength: 3 },
    ),
    steps: fc.array(step, { minLength: 2, maxLength: longest, size: 'max' }),
  });
}
