import { z } from 'zod';
import { callKinds, dialectNames } from '../answers/native-answer.ts';

const name = z.string().min(1);
const names = z.array(name).min(1);
const dialects = z.array(z.enum(dialectNames)).min(1);
const calls = z.array(z.enum(callKinds)).min(1);

const verdictSchema = z.strictObject({
  seen: z.array(z.enum(['served', 'refused', 'broken'])).min(1),
  codes: z.array(z.string()),
  text: z.enum(['whole', 'prefix', 'none', 'any']),
  finish: z.array(z.string()),
  usage: z.enum(['reported', 'zero', 'any']),
  attempts: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  elsewhere: z.enum(['served', 'same', 'either']),
  charge: z.enum(['nothing', 'reported', 'known']),
  breaker: z.enum(['counts', 'ignored', 'either']),
  deadline: z.enum(['connect', 'first-byte', 'idle', 'total']).nullable(),
});

const about = {
  id: z.string().regex(/^[A-Z]\d+$/),
  name,
  wire: name,
  dialects,
  calls,
  forms: names.exactOptional(),
  reply: z.record(z.string(), z.unknown()).exactOptional(),
};

export const factsSchema = z.strictObject({
  ...about,
  door: name.exactOptional(),
  scenario: name.exactOptional(),
  verdict: verdictSchema,
  exceptions: z
    .array(
      z.strictObject({
        dialects: dialects.exactOptional(),
        calls: calls.exactOptional(),
        forms: names.exactOptional(),
        verdict: verdictSchema.partial(),
      }),
    )
    .exactOptional(),
});

const taskVerdictSchema = z.strictObject({
  ends: z.array(z.enum(['SUCCESS', 'FAILED', 'EXPIRED', 'refused'])).min(1),
  codes: z.array(z.string()),
  jobs: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
  charge: z.enum(['nothing', 'made']),
  links: z.enum(['none', 'work', 'last']),
  deadline: z.enum(['answer', 'file', 'link', 'task', 'replay']).nullable(),
});

export const jobFactsSchema = z.strictObject({
  ...about,
  task: taskVerdictSchema,
  exceptions: z
    .array(
      z.strictObject({
        dialects: dialects.exactOptional(),
        forms: names.exactOptional(),
        task: taskVerdictSchema.partial(),
      }),
    )
    .exactOptional(),
});

/** Least and most; null where the schedule of deliveries says how many. */
const attempts = z.tuple([z.int().nonnegative(), z.int().nonnegative().nullable()]);

/** By form, `*` for the others: what a gateway may answer to a bad callback; null where it may break it off. */
const answersSchema = z.record(name, z.array(z.int().min(200).max(599).nullable()).min(1));

export const callbackFactsSchema = z.strictObject({
  ...jobFactsSchema.shape,
  dialects: z.array(z.literal('callback-jobs')).length(1),
  answers: answersSchema,
});

export const receiverFactsSchema = z.strictObject({
  id: about.id,
  name,
  wire: name,
  receiver: name,
  forms: about.forms,
  task: taskVerdictSchema,
  delivery: z.strictObject({ attempts, ids: z.literal(1) }),
  exceptions: z
    .array(
      z.strictObject({
        forms: names,
        task: taskVerdictSchema.partial().exactOptional(),
        delivery: z.strictObject({ attempts }).exactOptional(),
      }),
    )
    .exactOptional(),
});

/** What is known of a fault of the reports that an upstream makes itself: also what its bad callbacks may be answered. */
export type CallbackFaultFacts = z.infer<typeof callbackFactsSchema>;

/** What is known of a fault of those who receive our events: how often one event may come to them. */
export type ReceiverFaultFacts = z.infer<typeof receiverFactsSchema>;

export type WebhookFaultFacts = CallbackFaultFacts | ReceiverFaultFacts;

/** What is known of a fault that befalls a job: the same, and what may become of the caller's task. */
export type JobFaultFacts = z.infer<typeof jobFactsSchema>;

/**
 * What is known of a fault: its name, where it exists, its forms (the first is the default), and what a conforming
 * gateway may make of it. Facts are data in `fixtures/faults/`, one file a group.
 */
export type FaultFacts = z.infer<typeof factsSchema>;
