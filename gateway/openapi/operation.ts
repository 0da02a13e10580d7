import type { z } from 'zod';
import { type ErrorCode, errorTable } from '../errors/codes.ts';
import type { Components, JsonSchema } from './components.ts';
import { type ErrorShape, errorSchemas } from './error-schemas.ts';

/** A schema with its name in the document. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: z.ZodType;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly [more: string]: unknown;
}

/** A successful answer of an operation. */
export interface GoodAnswer {
  readonly status: 200 | 201;
  readonly description: string;
  /** The answer as JSON; absent when it is always streamed. */
  readonly json?: z.ZodType | NamedSchema;
  /** The data of each event in a stream, and how the stream ends. */
  readonly events?: NamedSchema & { readonly description: string };
}

/** One method of one path, as the document describes it. */
export interface Operation {
  readonly method: string;
  /** With parameter names in braces. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Names of security schemes; one of them must be satisfied. */
  readonly security: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Alternative schemas of the body. Null when there is no body. */
  readonly body: readonly (z.ZodType | NamedSchema)[] | null;
  readonly answer: GoodAnswer;
  readonly errors: readonly ErrorCode[];
  readonly errorShape: ErrorShape;
}

/** The operation in OpenAPI form. */
export function writeOperation(operation: Operation, components: Components): object {
  const { id, tag, summary, security, parameters, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: security.map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && {
      requestBody: { required: true, content: json(bodySchema(body, components)) },
    }),
    responses: { ...goodResponse(operation, components), ...errorResponses(operation, components) },
  };
}

function json(schema: JsonSchema): object {
  return { 'application/json': { schema } };
}

function bodySchema(body: readonly (z.ZodType | NamedSchema)[], components: Components): JsonSchema {
  const kinds = body.map((kind) => written(kind, components, 'input'));
  const [only, ...others] = kinds;
  return only !== undefined && others.length === 0 ? only : { anyOf: kinds };
}

function written(
  schema: z.ZodType | NamedSchema,
  components: Components,
  direction: 'input' | 'output',
): JsonSchema {
  return 'name' in schema
    ? components.named(schema.name, schema.schema, direction)
    : components.write(schema, direction);
}

function goodResponse({ answer, errorShape }: Operation, components: Components): object {
  const { status, description, json: whole, events } = answer;
  const content = {
    ...(whole !== undefined && json(written(whole, components, 'output'))),
    ...(events !== undefined && {
      'text/event-stream': {
        // The schema of each event's data, where client generators read it.
        schema: { ...written(events, components, 'output'), description: events.description },
      },
    }),
  };
  return { [status]: { description, headers: idHeaders(errorShape), content } };
}

const requestId = {
  'X-Request-Id': { description: 'The id of the request.', schema: { type: 'string' } },
} as const;
/** Clients of the messages protocol read the id from a header of their own. */
function idHeaders(shape: ErrorShape): object {
  return shape === 'MessagesError' ? { ...requestId, 'Request-Id': requestId['X-Request-Id'] } : requestId;
}

const retryAfter = {
  'Retry-After': {
    description: 'In how many seconds it may be worth asking again.',
    schema: { type: 'integer' },
  },
} as const;
const allow = { Allow: { description: 'The methods of the path.', schema: { type: 'string' } } } as const;

/** One response per status; its description lists the error codes. */
function errorResponses({ errors, errorShape }: Operation, components: Components): object {
  const schema = components.named(errorShape, errorSchemas[errorShape], 'output');
  const byStatus = Map.groupBy(new Set(errors), (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${errorTable[code].message}`).join(' '),
        headers: {
          ...idHeaders(errorShape),
          ...((status === 429 || status === 503) && retryAfter),
          ...(status === 405 && allow),
        },
        content: json(schema),
      },
    ]),
  );
}
