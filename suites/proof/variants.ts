import type { Variant } from '../mutation/mutant.ts';
import { combineVariants } from './combine-variants.ts';
import { bodyVariants, writerVariants } from './variants/body-variants.ts';
import { callVariants } from './variants/call-variants.ts';
import { lenientOnA, strictOnA } from './variants/compat-a-readings.ts';
import { lenientOnB, strictOnB } from './variants/compat-b-readings.ts';
import { eventVariants } from './variants/event-variants.ts';
import { failureVariants } from './variants/failure-variants.ts';
import { headVariants } from './variants/head-variants.ts';
import { lenientReadings } from './variants/lenient-readings.ts';
import { lenientOnMedia, strictOnMedia } from './variants/media-readings.ts';
import { mediaVariants } from './variants/media-variants.ts';
import { streamVariants } from './variants/stream-variants.ts';
import { strictReadings } from './variants/strict-readings.ts';
import { wireVariants } from './variants/wire-variants.ts';

/** Differences in form. */
export const formVariants: readonly Variant[] = [
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

/** Two gateways that take the other side wherever a reading leaves one open: what may be accepted, and what may be refused. */
const [lenient, strict] = [
  [...lenientReadings, ...lenientOnA, ...lenientOnB, ...lenientOnMedia],
  [...strictReadings, ...strictOnA, ...strictOnB, ...strictOnMedia],
];
const readings = {
  lenient: combineVariants('readings.lenient', lenient),
  strict: combineVariants('readings.strict', strict),
} as const;

/**
 * Every benign variant, for a proof of each alone: a gateway that differs from the reference in something the specification leaves open, so no
 * check may complain. Where a reading says that it is open, the title names it. Readings concern requests of different
 * kinds, so they do not hide each other, and one gateway takes them all.
 */
export const allVariants: readonly Variant[] = [...formVariants, readings.lenient, readings.strict];

/** Every single difference. */
export const singleVariants: readonly Variant[] = [...formVariants, ...lenient, ...strict];

/** Variants of which the first one and the rest would undo or hide each other. */
const apart: readonly (readonly string[])[] = [
  ['body.pretty-printed', 'body.escaped'],
  ['stream.usage-alone', 'stream.usage-null-before'],
  ['stream.split-deltas', 'stream.merged-deltas'],
  ['stream.role-alone', 'stream.role-with-first-content'],
  ['stream.comments', 'stream.few-bytes'],
  ['stream.heartbeats', 'stream.other-fields'],
  ['head.chunked', 'head.gzip'],
  ['head.retry-after', 'head.no-retry-after'],
  ['task.sparse-records', 'task.rich-records'],
  ['task.links-signed-anew', 'task.composite-grid'],
  ['event.flat-payload', 'event.enveloped-payload'],
  ['event.milliseconds', 'event.iso-time'],
  ['failure.cuts-the-stream', 'failure.without-done', 'failure.finish-error'],
];

/**
 * All differences in two gateways, each with about half of those in form and one side of the readings. A proof runs on
 * these; each difference shows in them as it does alone (`variant-effects.test.ts`).
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
