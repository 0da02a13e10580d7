import type { CheckParts } from '../../engine/parts/check-parts.ts';

/** Short everyday words, each a single token in every usual vocabulary. */
const words = ['sea', 'day', 'wind', 'blue', 'ship', 'sand', 'time', 'sun', 'rock', 'wave', 'bird', 'deep'];

/** A text of so many words: at least as many tokens under every tokenizer. */
export function promptOfWords(kit: CheckParts, count: number): string {
  const start = kit.rng.int(words.length);
  return Array.from({ length: count }, (_, index) => words[(start + index * 7) % words.length]).join(' ');
}
