import { combineVariants } from './combine-variants.ts';
import type { Variant } from './mutant.ts';
import { bodyVariants } from './variants/body-variants.ts';
import { headVariants } from './variants/head-variants.ts';
import { streamVariants } from './variants/stream-variants.ts';

/**
 * Every benign variant: a gateway that differs from the reference in something the specification leaves open, so no
 * check may complain. Where a reading says that it is open, the title names it.
 */
export const allVariants: readonly Variant[] = [...bodyVariants, ...streamVariants, ...headVariants];

/** Variants of which the later one would undo or hide the earlier one. */
const apart: readonly (readonly string[])[] = [
  ['body.pretty-printed', 'body.escaped'],
  ['stream.usage-alone', 'stream.usage-null-before'],
  ['stream.split-deltas', 'stream.role-with-first-content'],
  ['stream.comments', 'stream.few-bytes'],
  ['head.chunked', 'head.gzip'],
];

/** The same differences for a quick proof: two gateways that have about half of them each. */
export const quickVariants: readonly Variant[] = [0, 1].map((side) =>
  combineVariants(
    `combined.${side + 1}`,
    allVariants.filter((variant, index) => {
      const pair = apart.find((ids) => ids.includes(variant.id));
      return (pair === undefined ? index % 2 : pair.indexOf(variant.id)) === side;
    }),
  ),
);
