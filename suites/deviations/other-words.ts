import { isJsonObject } from '../values/json.ts';
import type { Given } from './deviation.ts';

/**
 * What a profile says of words: for each of the deployment's own the specified one that it stands for. Null where something is
 * no such list.
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
