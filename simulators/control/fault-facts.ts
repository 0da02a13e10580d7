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
  charge: z.enum(['nothing', 'reported', 'cached', 'known']),
  breaker: z.enum(['counts', 'ignored', 'either']),
  deadline: z.enum(['connect', 'first-byte', 'idle', 'total']).nullable(),
});

/**
 * The last comparison of a fault's bytes, and its date: with a client library, with words in its declaration files, or with a
 * published observation.
 */
const held = z.array(z.strictObject({ on: z.iso.date(), against: name, words: names.exactOptional() }));

const about = {
  id: z.string().regex(/^[A-Z]\d+$/),
  name,
  cause: name,
  wire: name,
  held,
  dialects,
  calls,
  forms: names.exactOptional(),
  except: z.array(z.strictObject({ dialects, forms: names })).exactOptional(),
  former: name.exactOptional(),
  reply: z.record(z.string(), z.unknown()).exactOptional(),
};

export const factsSchema = z.strictObject({
  ...about,
  listener: name.exactOptional(),
  /** The only version of HTTP that has the fault. */
  http: z.literal(2).exactOptional(),
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

/** Minimum and maximum of attempts. The maximum is null if the delivery schedule decides. */
const attempts = z.tuple([z.int().nonnegative(), z.int().nonnegative().nullable()]);

/**
 * By form (`*` for all others): the statuses a gateway may answer to a bad callback; null allows a
 * disconnect.
 */
const answersSchema = z.record(name, z.array(z.int().min(200).max(599).nullable()).min(1));

export const callbackFactsSchema = z.strictObject({
  ...jobFactsSchema.shape,
  dialects: z.array(z.literal('callback-jobs')).length(1),
  answers: answersSchema,
});

export const receiverFactsSchema = z.strictObject({
  id: about.id,
  name,
  cause: name,
  wire: name,
  held,
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

/** Facts of a fault in an upstream's callbacks, with the answers a gateway may give to them. */
export type CallbackFaultFacts = z.infer<typeof callbackFactsSchema>;

/** Facts of a fault of an event receiver: how often one event may be delivered to it. */
export type ReceiverFaultFacts = z.infer<typeof receiverFactsSchema>;

export type WebhookFaultFacts = CallbackFaultFacts | ReceiverFaultFacts;

/** Facts of a fault of jobs: as for calls, plus the allowed outcomes of the caller's task. */
export type JobFaultFacts = z.infer<typeof jobFactsSchema>;

/**
 * Facts of a fault: its name, dialects, forms (the first is the default), and the verdict on a conforming
 * gateway.
 * They are data in `fixtures/faults/`, one file per group.
 */
export type FaultFacts = z.infer<typeof factsSchema>;
