import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { callKinds, dialectNames } from '../providers/native-answer.ts';

/** The groups of the catalogue, a file of facts each. */
export const faultGroups = ['transport', 'status', 'protocol', 'stream', 'semantic', 'outages'] as const;

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

const factsSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]\d+$/),
  name,
  wire: name,
  dialects,
  calls,
  forms: names.exactOptional(),
  reply: z.record(z.string(), z.unknown()).exactOptional(),
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

/**
 * What is known of a fault: its name, where it exists, its forms (the first is the default), and what a conforming
 * gateway may make of it. Facts are data in `fixtures/faults/`, one file a group.
 */
export type FaultFacts = z.infer<typeof factsSchema>;

const directory = new URL('../../fixtures/faults/', import.meta.url);

/** The facts of all faults by id, in the order of the catalogue. @throws Error naming file and place of a mistake. */
export function loadFacts(from: URL = directory): ReadonlyMap<string, FaultFacts> {
  const facts = new Map<string, FaultFacts>();
  for (const group of faultGroups) {
    for (const one of readGroup(new URL(`${group}.json`, from), group)) {
      if (facts.has(one.id)) throw new Error(`${group}.json: there are two faults ${one.id}`);
      facts.set(one.id, one);
    }
  }
  return facts;
}

function readGroup(file: URL, group: string): FaultFacts[] {
  if (!existsSync(file)) return [];
  const parsed = z.array(factsSchema).safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${group}.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}
