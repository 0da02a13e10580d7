import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { type Fraction, fraction, whole } from '../../oracle/money.ts';
import { mustBeTimes, mustCostMore } from '../../steps/money/compare-charges.ts';
import { cacheModels } from '../../steps/money/hinted.ts';
import { type Priced, pricedCall } from '../../steps/money/priced-call.ts';

/** The price of a token that the cache wrote or read, in input prices. */
interface CacheRate {
  readonly id: string;
  readonly title: string;
  readonly requirement: string;
  readonly aspect: string;
  readonly factor: Fraction;
  readonly counts: (tokens: number) => Partial<NativeCounts>;
}

const rates: readonly CacheRate[] = [
  {
    id: 'cache.rate.five-minute-write',
    title: 'a token written to a five-minute cache slot costs 1.25 times an uncached one',
    requirement: 'CACHE-001',
    aspect: 'five-minute-factor',
    factor: fraction(5, 4),
    counts: (tokens) => ({ cache_write_tokens: tokens }),
  },
  {
    id: 'cache.rate.one-hour-write',
    title: 'a token written to a one-hour cache slot costs twice an uncached one',
    requirement: 'CACHE-002',
    aspect: 'one-hour-factor',
    factor: whole(2),
    counts: (tokens) => ({ cache_write_tokens: tokens, cache_write_1h_tokens: tokens }),
  },
  {
    id: 'cache.rate.hit',
    title: 'a token read from the cache costs a tenth of an uncached one',
    requirement: 'CACHE-003',
    aspect: 'hit-factor',
    factor: fraction(1, 10),
    counts: (tokens) => ({ cached_tokens: tokens }),
  },
];

/** One check a factor. None needs a declared price: each compares with what the same tokens cost without a cache. */
export const rateChecks: readonly Check[] = rates.map((rate) =>
  defineCheck({
    id: rate.id,
    title: rate.title,
    requirements: [rate.requirement],
    kind: 'metamorphic',
    needs: ['upstream.control', 'charges'],
    run: async (parts) => {
      for (const [place, model] of cacheModels(parts.target).entries())
        await judgeRate(parts, rate, model, place % 2 === 1);
    },
  }),
);

async function judgeRate(
  parts: CheckParts,
  { requirement, aspect, factor, counts }: CacheRate,
  model: string,
  stream: boolean,
): Promise<void> {
  const few = { prompt_tokens: 1_001 + parts.rng.int(1_000), completion_tokens: 7 };
  const tokens = 100_001 + parts.rng.int(150_000);
  const many = { ...few, prompt_tokens: few.prompt_tokens + tokens };
  const cost = (label: string, counted: NativeCounts): Promise<Priced> =>
    pricedCall(parts, { model, stream, counts: counted, label }, { requirement });
  const base = await cost('a short prompt', few);
  const plain = await cost(`${tokens} tokens more`, many);
  mustCostMore(plain, base, { requirement: 'BILL-002', aspect: 'input-costs' });
  const used = counts(tokens);
  const special = await cost(`the same, these tokens ${inWords(used)}`, { ...many, ...used });
  const rule = { requirement, aspect };
  mustBeTimes({ from: base, to: special }, factor, { from: base, to: plain }, rule);
}

function inWords(counts: Partial<NativeCounts>): string {
  if (counts.cached_tokens !== undefined) return 'read from the cache';
  return `written to it for ${counts.cache_write_1h_tokens === undefined ? 'five minutes' : 'an hour'}`;
}
