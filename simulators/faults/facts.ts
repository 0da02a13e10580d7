import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { callKinds, dialectNames } from '../providers/native-answer.ts';

/** The groups of the catalogue, a file of facts each. That of faults of jobs has verdicts of another kind. */
export const faultGroups = ['transport', 'status', 'protocol', 'stream', 'semantic', 'outages'] as const;
const jobGroup = 'jobs';

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
  deadline: z.enum(['answer', 'file', 'link', 'task']).nullable(),
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
  const [issue] = parsed.error.issues;
  throw new Error(`${group}.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}
