import { z } from 'zod';

/**
 * How a deployment's interface maps to the specification, as tables: models, routes and keys, fields, tasks and events,
 * errors. A mapping breaks no rule, because it only renames.
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
    absent: z
      .array(z.enum(['chat', 'compat.a', 'compat.b']))
      .optional()
      .describe('protocols of the deployment that do not serve it'),
  }),
]);

const path = z.string().regex(/^(?:\/[\w.~:-]+)*$/, 'is no path: /v1');

/** A prefix, or one path with the model of a call in it and with a fixed query. */
const ownRoute = z
  .string()
  .regex(
    /^(?:\/(?:[\w.~:-]|\{model\})+)*(?:\?[\w.~:&=%-]+)?$/,
    'is no path: /v1, or /deployments/{model}/chat/completions?api-version=1',
  );

/** The protocols that callers use. */
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
    texts: z
      .array(z.string())
      .default([])
      .describe('members whose numbers are texts there, under their names in the specification: "5"'),
  })
  .prefault({});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'i') !== null;
  } catch {
    return false;
  }
}

const sign = z.strictObject({
  status: z.union([z.int(), z.array(z.int()).min(1)]).optional(),
  type: z.string().nullable().optional(),
  code: z.union([z.string(), z.number()]).nullable().optional(),
  message: z
    .string()
    .refine(isPattern, 'is no regular expression')
    .optional()
    .describe('a regular expression that its message matches'),
});

const errorTables = {
  object: z
    .string()
    .nullable()
    .optional()
    .describe('the member that holds the error, such as error or detail.error; null: the whole body'),
  members: z
    .partialRecord(z.enum(['type', 'code', 'message', 'param', 'channel']), otherName)
    .default({})
    .describe('members of the error by their own names; null: it has none'),
  codes: z
    .record(z.string(), z.union([sign, z.array(sign).min(1)]).nullable())
    .default({})
    .describe('codes of the specification by what they are there; null: no equivalent'),
};

const otherShape = z.strictObject({ object: errorTables.object, members: errorTables.members });

const errors = z.strictObject({
  ...errorTables,
  also: z
    .array(otherShape)
    .default([])
    .describe('further shapes of errors, read where the first does not fit'),
  text: z.literal(true).optional().describe('some errors are plain text, which is their message'),
  in_success: z
    .literal(true)
    .optional()
    .describe('some errors have HTTP 200; the body alone shows that they are errors'),
  at: z
    .record(
      z.union([z.enum(callerProtocols), path], 'is no protocol and no path: compat-b, /api/v1/images'),
      z.strictObject(errorTables),
    )
    .default({})
    .describe('errors of another shape, by protocol or by path in the specification'),
});

const word = z.string().min(1);

const taskInterface = z.strictObject({
  submit: path.optional().describe('where tasks are submitted'),
  accepted: z.int().optional().describe('the status of an accepted submission, such as 303 with Location'),
  read: z
    .string()
    .regex(/^\/\S*\{id\}/, 'is no path with {id}: /v1/jobs/{id}/status')
    .optional()
    .describe('where one is read, such as /v1/jobs/{id}/status'),
  states: z
    .partialRecord(
      z.enum(['QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED']),
      z.union([word, z.array(word).min(1)]).nullable(),
    )
    .default({})
    .describe('states in the specification by their own words; null: no equivalent'),
});

const headerName = z.string().regex(/^[\w-]+$/, 'must be the name of a header');

const signature = z.strictObject({
  header: headerName.default('webhook-signature'),
  form: z
    .string()
    .includes('{signature}')
    .default('v1,{signature}')
    .describe('its value, such as t={timestamp},v1={signature}'),
  algorithm: z.enum(['sha1', 'sha256', 'sha512']).default('sha256').describe('the hash of its HMAC'),
  encoding: z.enum(['hex', 'base64', 'base64url']).default('base64'),
  signs: z
    .string()
    .includes('{body}')
    .default('{id}.{timestamp}.{body}')
    .describe('what is signed, such as {timestamp}.{body}'),
  secret: z
    .enum(['whsec', 'text', 'hex'])
    .default('whsec')
    .describe('how a secret becomes the key: base64 after whsec_, its own bytes, or hex'),
});

const events = z.strictObject({
  id: headerName.default('webhook-id').describe('the header with the id of an event'),
  timestamp: headerName.optional().describe('the header with the time of sending'),
  signature: signature.prefault({}),
});

export const dialect = z.strictObject({
  extends: z.string().min(1).optional().describe('a dialect by its name, or a file'),
  models: z.record(z.string().min(1), ownModel).default({}).describe('own id to a role in the catalogue'),
  routes: z
    .record(path, ownRoute)
    .default({})
    .describe('path prefix in the specification to own prefix, also with {model} and with a query'),
  keys: z
    .strictObject({
      core: place.optional(),
      'compat-a': place.optional(),
      'compat-b': place.optional(),
      prefix: z
        .string()
        .min(1)
        .nullable()
        .optional()
        .describe('how keys begin, if not with sk-app-; null: without a prefix'),
    } satisfies Record<(typeof callerProtocols)[number] | 'prefix', z.ZodType>)
    .prefault({})
    .describe('where the key goes, and how keys begin'),
  headers: z.record(z.string(), z.string()).default({}).describe('extra headers of each request'),
  fields: z.strictObject({ chat: fields, images: fields, tasks: fields }).prefault({}),
  streams: z
    .strictObject({ 'compat-b': z.literal('array').optional() })
    .prefault({})
    .describe('protocols whose streams are one JSON array, and not events'),
  tasks: taskInterface.prefault({}).describe('another interface for tasks'),
  webhooks: events.optional().describe('how events are signed, if not as Standard Webhooks'),
  errors: errors.prefault({}),
  absent: z.array(z.string()).default([]).describe('facts that it does not have, as absent in a profile'),
});

/** The name of a dialect, or its tables. */
export const dialectSection = z.union([
  z
    .string()
    .min(1)
    .transform((name) => dialect.parse({ extends: name })),
  dialect,
]);

export type Dialect = z.infer<typeof dialect>;
export type ErrorSign = z.infer<typeof sign>;
export type ErrorTables = Omit<Dialect['errors'], 'at' | 'also' | 'text' | 'in_success'>;
