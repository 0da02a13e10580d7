import { cacheRegion } from '../../histories/cache-regions.ts';

export const cacheMultipliersOverTurns = cacheRegion({
  id: 'world.cache',
  title: 'over generated conversations and counts each token costs its own multiplier on every path',
  requirements: [
    'BILL-002',
    'CACHE-001',
    'CACHE-002',
    'CACHE-003',
    'CACHE-004',
    'CACHE-005',
    'CACHE-006',
    'CACHE-009',
  ],
  needs: ['upstream.control', 'charges', 'pricing.models', 'hooks.clock'],
  kind: { own: 4, counted: 5, pass: 2, longest: 14 },
  quick: 8,
  prices: 'declared',
});
