import { type SeedPart, seededRandom } from '../random.ts';
import type { Colour } from './png.ts';

/** The two colours of an image. The same parts always give the same colours. */
export function coloursOf(...parts: readonly SeedPart[]): { sky: Colour; sea: Colour } {
  const random = seededRandom('picture', ...parts);
  const colour = (): Colour => [random.below(256), random.below(256), random.below(256)];
  return { sky: colour(), sea: colour() };
}
