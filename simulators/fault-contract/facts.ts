import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { callKinds, dialectNames } from '../answers/native-answer.ts';
import { deepestIssue } from '../json/json-body.ts';

/** The groups of the catalogue, a file of facts each. Those of faults of jobs and of webhooks have other verdicts. */
export const faultGroups = ['transport', 'status', 'protocol', 'stream', 'semantic', 'outages'] as const;
const jobGroup = 'jobs';
const webhookGroup = 'webhooks';

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

const factsSchema = z.strictObject({
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

const jobFactsSchema = z.strictObject({
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

const callbackFactsSchema = z.strictObject({
  ...jobFactsSchema.shape,
  dialects: z.array(z.literal('callback-jobs')).length(1),
  answers: answersSchema,
});

const receiverFactsSchema = z.strictObject({
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

const directory = new URL('../../fixtures/faults/', import.meta.url);

/** The facts of all faults of calls by id, in the order of the catalogue. @throws Error naming file and place of a mistake. */
export function loadFacts(from: URL = directory): ReadonlyMap<string, FaultFacts> {
  return byId(faultGroups.map((group) => [group, readGroup(from, group, factsSchema)]));
}

/** Those of faults that befall jobs. @throws Error naming file and place of a mistake. */
export function loadJobFacts(from: URL = directory): ReadonlyMap<string, JobFaultFacts> {
  return byId([[jobGroup, readGroup(from, jobGroup, jobFactsSchema)]]);
}

/** Those of faults that befall reports of upstreams and receivers of ours. @throws Error naming file and place of a mistake. */
export function loadWebhookFacts(from: URL = directory): ReadonlyMap<string, WebhookFaultFacts> {
  const schema = z.union([callbackFactsSchema, receiverFactsSchema]);
  return byId([[webhookGroup, readGroup(from, webhookGroup, schema)]]);
}

function byId<T extends { readonly id: string }>(
  groups: readonly (readonly [group: string, facts: readonly T[]])[],
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const [group, facts] of groups) {
    for (const one of facts) {
      if (found.has(one.id)) throw new Error(`${group}.json: there are two faults ${one.id}`);
      found.set(one.id, one);
    }
  }
  return found;
}

function readGroup<T>(from: URL, group: string, schema: z.ZodType<T>): T[] {
  const file = new URL(`${group}.json`, from);
  if (!existsSync(file)) return [];
  const parsed = z.array(schema).safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const issue = deepestIssue(parsed.error.issues[0]);
  throw new Error(`${group}.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}
