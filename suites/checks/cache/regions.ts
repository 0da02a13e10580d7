import type { Check } from '../../engine/check.ts';
import type { CacheHistory, CacheStep } from '../../histories/cache-history.ts';
import { cacheRegion } from '../../histories/cache-regions.ts';
import { type Life, lives } from '../../oracle/world/cache-book.ts';

/** Calls of one conversation: the first fills the cache slot, the others read it. */
const talk: readonly CacheStep[] = [false, false, true, false].map((stream) => ({
  ...{ do: 'turn', thread: 0, isCompat: false, stream, payer: 0, counted: null, grows: false },
}));

/** Waits of four, five and sixty minutes, each followed by a call of a slot for minutes and one for an hour. */
const waits: readonly CacheStep[] = ([null, 'within', '5m', '5m', '1h'] as const).flatMap((what) => [
  ...(what === null ? [] : [{ do: 'pass' as const, what }]),
  ...[0, 1].map((thread) => ({ ...talk[0], do: 'turn', thread }) as CacheStep),
]);

/** Cached tokens on a model of each family, first without a hint, then with one. */
const readsOfOthers: CacheHistory = {
  threads: [['5m']],
  steps: [false, true].flatMap((isHinted) =>
    [0, 1, 2].map(
      (thread): CacheStep => ({
        ...{ do: 'turn', thread, isCompat: false, stream: thread % 2 === 1, payer: 0, grows: false },
        counted: {
          ...{ prompt_tokens: 250_013, cached_tokens: 149_017, completion_tokens: 7 },
          ...{ cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, beyond: 0, leaves: false, isHinted },
        },
      }),
    ),
  ),
};

const talks: readonly CacheHistory[] = lives.map((life: Life) => ({ threads: [[life]], steps: talk }));

/** Regions of `world.cache` where less has to be known of a deployment. */
export const cacheRegions: readonly Check[] = [
  cacheRegion({
    id: 'cache.prompt.repeated',
    title: 'a long prompt with a cache hint, sent again, is reported as cached, plain and streamed',
    requirements: ['CACHE-006'],
    needs: [],
    kind: { own: 1, counted: 0, pass: 0, longest: 5 },
    quick: 1,
    prices: 'none',
    examples: talks,
  }),
  cacheRegion({
    id: 'cache.slot.life',
    title: 'a prompt is read from its cache slot for five minutes or one hour, and no longer',
    requirements: ['CACHE-009'],
    needs: ['hooks.clock'],
    kind: { own: 2, counted: 0, pass: 1, longest: 10 },
    quick: 1,
    prices: 'none',
    examples: [{ threads: [['5m'], ['1h']], steps: waits }],
  }),
  cacheRegion({
    id: 'cache.write.once',
    title: 'a cached prompt is charged as a write the first time and as a hit each time after that',
    requirements: ['CACHE-004'],
    needs: ['upstream.control', 'charges'],
    kind: { own: 1, counted: 0, pass: 0, longest: 5 },
    quick: 1,
    prices: 'learnt',
    examples: talks,
  }),
  cacheRegion({
    id: 'cache.reads.reported',
    title: 'on every model cached_tokens equals what the upstream read from its cache, call by call',
    requirements: ['CACHE-007', 'CACHE-009'],
    needs: ['upstream.control'],
    kind: { own: 0, counted: 1, pass: 0, longest: 10 },
    quick: 8,
    prices: 'none',
  }),
  cacheRegion({
    id: 'cache.rate.other-models',
    title: 'on models other than beta-* cached tokens cost less, and a cache hint costs nothing',
    requirements: ['CACHE-005'],
    needs: ['upstream.control', 'charges'],
    kind: { own: 0, counted: 1, pass: 0, longest: 8, special: 'cached' },
    quick: 1,
    prices: 'learnt',
    models: 'others',
    examples: [readsOfOthers],
  }),
  ...(
    [
      [
        'five-minute-write',
        'a token written to a five-minute cache slot costs 1.25 times an uncached one',
        '5m',
        'CACHE-001',
      ],
      [
        'one-hour-write',
        'a token written to a one-hour cache slot costs twice an uncached one',
        '1h',
        'CACHE-002',
      ],
      ['hit', 'a token read from the cache costs a tenth of an uncached one', 'cached', 'CACHE-003'],
    ] as const
  ).map(([id, title, special, requirement]) =>
    cacheRegion({
      ...{ id: `cache.rate.${id}`, title, requirements: [requirement] },
      needs: ['upstream.control', 'charges'],
      kind: { own: 0, counted: 1, pass: 0, longest: 8, special },
      quick: 2,
      prices: 'learnt',
    }),
  ),
];
