import { isJsonObject } from '../values/json.ts';
import type { Given } from './deviation.ts';

/**
 * Maps the deployment's own words in a profile to the specified ones; null for an invalid list.
 * @param specified the words of the specification, which keep their meaning
 */
export function otherWords(
  given: Given | undefined,
  specified: readonly string[],
): ((word: unknown) => unknown) | null {
  if (!isJsonObject(given)) return null;
  const words = new Map(Object.entries(given));
  const fits = [...words].every(([own, meant]) => !specified.includes(own) && specified.includes(`${meant}`));
  return words.size > 0 && fits ? (word) => words.get(`${word}`) ?? word : null;
}
