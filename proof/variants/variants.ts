import type { Profile } from '../../suites/profile/profile.ts';
import { combineMutations } from '../../suites/rewrite/combine-mutations.ts';
import type { Variant } from '../edits/mutant.ts';
import { bodyVariants, writerVariants } from './body-variants.ts';
import { lenientOnA, strictOnA } from './compat-a-readings.ts';
import { lenientOnB, strictOnB } from './compat-b-readings.ts';
import { eventVariants } from './event-variants.ts';
import { failureVariants } from './failure-variants.ts';
import { headVariants } from './head-variants.ts';
import { lenientReadings } from './lenient-readings.ts';
import { lenientOnMedia, strictOnMedia } from './media-readings.ts';
import { mediaVariants } from './media-variants.ts';
import { silentVariants } from './silent-variants.ts';
import { streamVariants } from './stream-variants.ts';
import { strictReadings } from './strict-readings.ts';
import { callVariants, wireVariants } from './wire-variants.ts';

/** Differences in form. */
export const formVariants: readonly Variant[] = [
  ...silentVariants,
  ...bodyVariants,
  ...callVariants,
  ...streamVariants,
  ...failureVariants,
  ...headVariants,
  ...writerVariants,
  ...wireVariants,
  ...mediaVariants,
  ...eventVariants,
];

/**
 * Two gateways with opposite choices on every open reading: one accepts all that may be accepted, the other rejects all that
 * may be rejected.
 */
const [lenient, strict] = [
  [...lenientReadings, ...lenientOnA, ...lenientOnB, ...lenientOnMedia],
  [...strictReadings, ...strictOnA, ...strictOnB, ...strictOnMedia],
];
const readings = {
  lenient: combineVariants('readings.lenient', lenient),
  strict: combineVariants('readings.strict', strict),
} as const;

/**
 * Every harmless variant, for a proof of each alone. It differs in something that the specification leaves open. Its title
 * names the reading, if there is one. Readings concern different kinds of requests, so one gateway can combine them all.
 */
export const allVariants: readonly Variant[] = [...formVariants, readings.lenient, readings.strict];

/** Every single difference. */
export const singleVariants: readonly Variant[] = [...formVariants, ...lenient, ...strict];

/** Groups in which the first variant and the others would undo or hide each other. */
const apart: readonly (readonly string[])[] = [
  ['body.pretty-printed', 'body.escaped'],
  ['error.other-wording', 'secret.other-words'],
  ['stream.usage-alone', 'stream.usage-null-before'],
  ['stream.split-deltas', 'stream.merged-deltas'],
  ['stream.role-alone', 'stream.role-with-first-content'],
  ['stream.comments', 'stream.few-bytes'],
  ['stream.heartbeats', 'stream.other-fields'],
  ['head.chunked', 'head.gzip'],
  ['head.retry-after', 'head.no-retry-after'],
  ['head.retry-date', 'head.no-retry-after'],
  ['task.sparse-records', 'task.rich-records'],
  ['task.links-signed-anew', 'task.composite-grid'],
  ['event.flat-payload', 'event.enveloped-payload'],
  ['event.milliseconds', 'event.iso-time'],
  ['failure.cuts-the-stream', 'failure.without-done', 'failure.finish-error'],
  ['failure.cuts-the-stream', 'failure.normalised-alone'],
];

/**
 * All differences in two gateways. Each has about half of the differences in form and one side of the readings. A proof runs
 * on these. `variant-effects.test.ts` shows that each difference still takes effect.
 */
export const combinedVariants: readonly Variant[] = [lenient, strict].map((taken, side) =>
  combineVariants(`combined.${side + 1}`, [
    ...taken,
    ...formVariants.filter((variant, index) => {
      const pair = apart.find((ids) => ids.includes(variant.id));
      return (pair === undefined ? index % 2 : Math.min(1, pair.indexOf(variant.id))) === side;
    }),
  ]),
);

/** Combines harmless differences into one variant. What each may do, all of them together may do. */
function combineVariants(id: string, parts: readonly Variant[]): Variant {
  return {
    id,
    title: `all at once: ${parts.map((part) => part.id).join(', ')}`,
    advised: parts.flatMap((part) => part.advised ?? []),
    declares: { chat: Object.assign({}, ...parts.map((part) => part.declares?.chat ?? {})) as ChatFacts },
    mutation: combineMutations(parts.map((part) => part.mutation)),
  };
}

type ChatFacts = Partial<Profile['chat']>;
