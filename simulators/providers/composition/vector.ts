import { seededRandom } from '../../random.ts';

/** A vector of length 1 in a seeded direction: the same for the same model and input. */
export function seededVector(
  input: string | readonly number[],
  dimensions: number,
  seed: number,
  model: string,
): number[] {
  const random = seededRandom('embedding', seed, model, JSON.stringify(input));
  const drawn = Array.from({ length: dimensions }, () => random.below(2 ** 24) / 2 ** 23 - 1);
  const length = Math.hypot(...drawn) || 1;
  return drawn.map((one) => Math.fround(one / length));
}
