import fc from 'fast-check';
import { upstreamText } from './upstream-text.ts';

/** A text and the fragments in which a stream sends it. They join to the text. */
export interface FragmentedText {
  readonly text: string;
  readonly fragments: readonly string[];
}

/** Splits a text before the given code units. A split may be inside a character. */
export function cutText(text: string, places: readonly number[]): FragmentedText {
  const inner = [...new Set(places)]
    .filter((place) => place > 0 && place < text.length)
    .sort((a, b) => a - b);
  const edges = [0, ...inner, text.length];
  return { text, fragments: edges.slice(1).map((end, index) => text.slice(edges[index], end)) };
}

/** A text with up to 12 splits anywhere. */
export const fragmentedText: fc.Arbitrary<FragmentedText> = upstreamText.chain((text) =>
  fc
    .array(fc.nat({ max: Math.max(0, text.length - 1) }), { maxLength: 12 })
    .map((places) => cutText(text, places)),
);
