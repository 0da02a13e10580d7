import type { Rng } from '../../values/seed.ts';

/** Short everyday words, each a single token in every common vocabulary. */
const words = ['sea', 'day', 'wind', 'blue', 'ship', 'sand', 'time', 'sun', 'rock', 'wave', 'bird', 'deep'];

/** A text of this many words, so it has at least as many tokens under every tokenizer. */
export function promptOfWords(rng: Rng, count: number): string {
  const start = rng.int(words.length);
  return Array.from({ length: count }, (_, index) => words[(start + index * 7) % words.length]).join(' ');
}
