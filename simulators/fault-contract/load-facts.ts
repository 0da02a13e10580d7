import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { chatDialectNames } from '../answers/native-answer.ts';
import {
  callbackFactsSchema,
  type FaultFacts,
  factsSchema,
  type JobFaultFacts,
  jobFactsSchema,
  receiverFactsSchema,
  type WebhookFaultFacts,
} from '../control/fault-facts.ts';
import { deepestIssue } from '../json/json-body.ts';

/** The groups of the catalogue, one file of facts each. Jobs and webhooks have other verdicts. */
export const faultGroups = ['transport', 'status', 'protocol', 'stream', 'semantic', 'outages'] as const;
const jobGroup = 'jobs';
const webhookGroup = 'webhooks';

/** The files of the catalogue. A test checks them: to do so in each process takes a quarter of its start. */
export const shippedFacts = new URL('../../fixtures/faults/', import.meta.url);

/**
 * The facts of all faults of calls by id, in the order of the catalogue. Only the shipped files, the default, are not checked.
 * @throws Error naming file and place of a mistake.
 */
export function loadFacts(from: URL | null = null): ReadonlyMap<string, FaultFacts> {
  const shared = readShared(from);
  return byId([...faultGroups, 'http2'].map((group) => [group, readGroup(shared, group, factsSchema)]));
}

/** The facts of all faults of jobs. @throws Error naming file and place of a mistake. */
export function loadJobFacts(from: URL | null = null): ReadonlyMap<string, JobFaultFacts> {
  return byId([[jobGroup, readGroup(readShared(from), jobGroup, jobFactsSchema)]]);
}

/**
 * The facts of all faults of callbacks and of event receivers.
 * @throws Error with file and position of a mistake.
 */
export function loadWebhookFacts(from: URL | null = null): ReadonlyMap<string, WebhookFaultFacts> {
  const schema = z.union([callbackFactsSchema, receiverFactsSchema]);
  return byId([[webhookGroup, readGroup(readShared(from), webhookGroup, schema)]]);
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

/** The shared data that the facts of all groups refer to. */
interface Shared {
  readonly from: URL;
  readonly isChecked: boolean;
  readonly verdicts: z.infer<typeof verdictsSchema>;
  readonly clients: z.infer<typeof clientsSchema>;
}

function readShared(given: URL | null): Shared {
  const isChecked = given !== null;
  const from = given ?? shippedFacts;
  const read = <T>(name: string, schema: z.ZodType<T>): T => {
    const value = readJson(new URL(name, from));
    return isChecked ? schema.parse(value) : (value as T);
  };
  const verdicts = read('verdicts.json', verdictsSchema);
  return { from, isChecked, verdicts, clients: read('clients.json', clientsSchema) };
}

function readGroup<T>(
  { from, isChecked, verdicts, clients }: Shared,
  group: string,
  schema: z.ZodType<T>,
): T[] {
  const file = new URL(`${group}.json`, from);
  if (!existsSync(file)) return [];
  const value = readJson(file);
  const given = isChecked ? z.array(z.looseObject({})).parse(value) : (value as Members[]);
  const completed = given.map((facts) => complete(facts, verdicts, facts.http === 2 ? {} : clients));
  if (!isChecked) return completed as T[];
  const parsed = z.array(schema).safeParse(completed);
  if (parsed.success) return parsed.data;
  const issue = deepestIssue(parsed.error.issues[0]);
  throw new Error(`${group}.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}

type Members = Readonly<Record<string, unknown>>;

const named = z.record(z.string(), z.looseObject({}));
const verdictsSchema = z.strictObject({ calls: named, tasks: named });

/** Each client library that meets every fault of its dialect, and when it last did. */
const clientsSchema = z.record(
  z.string(),
  z.strictObject({ dialect: z.enum(chatDialectNames), on: z.iso.date() }),
);

/** Facts with their verdict in full, and everything that the fault was compared with. */
function complete(
  { verdict, task, held, exceptions, ...facts }: Members,
  verdicts: z.infer<typeof verdictsSchema>,
  clients: z.infer<typeof clientsSchema>,
): Members {
  const { dialects } = facts;
  const met = Object.entries(clients).filter(
    ([, { dialect }]) => Array.isArray(dialects) && dialects.includes(dialect),
  );
  const noted = (Array.isArray(held) ? held : []).map((one: Members) => ({
    on: clients[String(one.against)]?.on,
    ...one,
  }));
  return {
    ...facts,
    held: [...met.map(([against, { on }]) => ({ on, against })), ...noted],
    ...(Array.isArray(exceptions)
      ? { exceptions: exceptions.map((one) => inException(one, verdicts.calls)) }
      : {}),
    ...(verdict === undefined ? {} : { verdict: inFull(verdict, verdicts.calls) }),
    ...(task === undefined ? {} : { task: inFull(task, verdicts.tasks) }),
  };
}

/** An exception may name a whole verdict, too. */
function inException(exception: Members, among: Readonly<Record<string, Members>>): Members {
  const { verdict } = exception;
  return typeof verdict === 'string' ? { ...exception, verdict: inFull(verdict, among) } : exception;
}

/** A verdict may be a name from `verdicts.json`: alone, or as the member `as`, which the other members override. */
function inFull(given: unknown, among: Readonly<Record<string, Members>>): Members {
  const { as, ...own }: Members = typeof given === 'string' ? { as: given } : Object(given);
  return { ...(typeof as === 'string' ? among[as] : {}), ...own };
}

function readJson(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
