import { z } from 'zod';

/**
 * How the interface of a deployment maps to that of the specification, as four tables: models, routes and keys, fields,
 * errors. A mapping breaks no rule: the same thing has another name.
 */

/** The capabilities that the catalogue names. */
export const capability = z.enum(['tools', 'vision', 'cache', 'stream']);

const role = z.string().min(1);

const ownModel = z.union([
  role.transform((like) => ({ like })),
  z.strictObject({
    like: role.describe('the model of the specification whose checks judge it'),
    context: z.int().min(1).optional().describe('its context window in tokens, if different'),
    capabilities: z.array(capability).optional().describe('its capabilities, if different'),
  }),
]);

const path = z.string().regex(/^(?:\/[\w.~:-]+)*$/, 'is no path: /v1');

/** The protocols of callers. */
export const callerProtocols = ['core', 'compat-a', 'compat-b'] as const;

const place = z
  .strictObject({
    header: z
      .string()
      .regex(/^[\w-]+$/)
      .optional(),
    query: z.string().min(1).optional(),
    form: z.string().includes('{key}').default('{key}').describe('such as Bearer {key}'),
  })
  .refine(({ header, query }) => (header === undefined) !== (query === undefined), {
    message: 'names a header or a member of the query',
  });

/** Null: the deployment does not have it. */
const otherName = z.string().min(1).nullable();

const fields = z
  .strictObject({
    request: z
      .record(z.string(), otherName)
      .default({})
      .describe('members of requests: name in the specification to own name'),
    answer: z.record(z.string(), otherName).default({}).describe('members of answers and events, likewise'),
  })
  .prefault({});

const sign = z.strictObject({
  status: z.union([z.int(), z.array(z.int()).min(1)]).optional(),
  type: z.string().nullable().optional(),
  code: z.union([z.string(), z.number()]).nullable().optional(),
  message: z.string().optional().describe('a regular expression that its message matches'),
});

const errors = z.strictObject({
  object: z.string().nullable().optional().describe('the member that holds the error; null: the whole body'),
  members: z
    .partialRecord(z.enum(['type', 'code', 'message', 'param', 'channel']), otherName)
    .default({})
    .describe('members of the error by their own names; null: it has none'),
  codes: z
    .record(z.string(), z.union([sign, z.array(sign).min(1)]).nullable())
    .default({})
    .describe('codes of the specification by what they are there; null: no equivalent'),
});

export const dialect = z.strictObject({
  extends: z.string().min(1).optional().describe('a dialect by its name, or a file'),
  models: z.record(z.string().min(1), ownModel).default({}).describe('own id to a role in the catalogue'),
  routes: z.record(path, path).default({}).describe('path prefix in the specification to own prefix'),
  keys: z.partialRecord(z.enum(callerProtocols), place).default({}).describe('where the key goes'),
  headers: z.record(z.string(), z.string()).default({}).describe('extra headers of each request'),
  fields: z.strictObject({ chat: fields, images: fields, tasks: fields }).prefault({}),
  errors: errors.prefault({}),
  absent: z.array(z.string()).default([]).describe('facts that it does not have, as absent in a profile'),
});

/** A name, or the tables themselves. */
export const dialectSection = z.union([
  z
    .string()
    .min(1)
    .transform((name) => dialect.parse({ extends: name })),
  dialect,
]);

export type Dialect = z.infer<typeof dialect>;
export type ErrorSign = z.infer<typeof sign>;
