import { divideHalfEven, type Pico } from '../money/pico.ts';
import type { Usage } from '../upstreams/outcome.ts';

/**
 * List price of a model that is billed per token. The percentages are of the input price (specification,
 * "Prompt-cache billing multipliers").
 */
export interface Price {
  /** Pico-USD per token. */
  readonly input: Pico;
  readonly output: Pico;
  readonly cachedPercent: bigint;
  readonly write5mPercent: bigint;
  readonly write1hPercent: bigint;
}

/** The price of an unlisted model. */
export const free: Price = {
  input: 0n,
  output: 0n,
  cachedPercent: 0n,
  write5mPercent: 0n,
  write1hPercent: 0n,
};

const wholePercent = 100n;
const wholeBp = 10_000n;

/** The cost of the upstream's counts under a price and a markup, rounded once (design, "Money"). */
export function chargeFor(usage: Usage, price: Price, markupBp: number): Pico {
  const [cached, write5m, write1h] = [usage.cachedTokens, usage.cacheWrite5mTokens, usage.cacheWrite1hTokens];
  const special = BigInt(cached) + BigInt(write5m) + BigInt(write1h);
  const prompt = BigInt(usage.promptTokens);
  // An upstream may report more cached and written tokens than prompt tokens: then there are no plain ones.
  const plain = prompt > special ? prompt - special : 0n;
  const input =
    plain * wholePercent +
    BigInt(cached) * price.cachedPercent +
    BigInt(write5m) * price.write5mPercent +
    BigInt(write1h) * price.write1hPercent;
  const list = input * price.input + BigInt(usage.completionTokens) * wholePercent * price.output;
  return divideHalfEven(list * (wholeBp + BigInt(markupBp)), wholePercent * wholeBp);
}
