import type { CacheHistory, Counted } from '../../histories/cache-history.ts';
import { cacheRegion } from '../../histories/cache-regions.ts';

const none = { cached_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };
const stays = { beyond: 0, leaves: false, isHinted: false };
const mixed = { cached_tokens: 7, cache_write_5m_tokens: 3, cache_write_1h_tokens: 5 };

/** More models than any deployment has, and more keys. */
const [models, keys] = [12, 7];

/** Small counts whose charge likely needs rounding, of each model and for each key, and something of each kind. */
function edgesOf(thread: number): CacheHistory {
  const calls: readonly (Counted & { payer: number; stream: boolean })[] = [
    ...Array.from({ length: keys }, (_, payer) => ({
      ...{ ...none, ...stays, prompt_tokens: 1 + 2 * (payer % 2), completion_tokens: 0 },
      ...{ payer, stream: false },
    })),
    {
      ...{ ...mixed, ...stays, prompt_tokens: 16, completion_tokens: thread % 3 },
      ...{ payer: thread, stream: true },
    },
  ];
  return {
    threads: [['5m']],
    steps: calls.map(({ payer, stream, ...counted }) => ({
      ...{ do: 'turn', thread, isCompat: payer % 2 === 1, stream, payer, counted, grows: false },
    })),
  };
}

export const chargesAreExact = cacheRegion({
  id: 'bill.charge.exact',
  title: 'every model, app and path charges exactly the declared prices, to the last digit',
  requirements: ['BILL-002'],
  needs: ['upstream.control', 'charges', 'pricing.models'],
  kind: { own: 0, counted: 1, pass: 0, longest: 12 },
  quick: 4,
  prices: 'declared',
  examples: Array.from({ length: models }, (_, thread) => edgesOf(thread)),
});
