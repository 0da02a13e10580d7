import type { z } from 'zod';
import type { DialectVersion } from '../../answers/native-answer.ts';
import { deepestIssue, isObject, parseJson, valueAt } from '../../json/json-body.ts';
import { invalidRequest, type NativeError } from './errors.ts';
import { findBrokenRule, findContradiction } from './rules.ts';
import {
  type CountRequest,
  countSchema,
  currentCountSchema,
  currentMessagesSchema,
  type MessagesRequest,
  messagesSchema,
} from './schema.ts';

export type Parsed<T> = { ok: true; request: T } | { ok: false; error: NativeError };

/** The conditions besides the body that determine which members are valid. */
export interface Manner {
  /** The header `anthropic-beta`. */
  readonly betas?: string | undefined;
  /** Whether to reject separate turns that the provider would combine. */
  readonly isStrict?: boolean;
  /** Default: `previous`. */
  readonly version?: DialectVersion;
}

/** Reads the body of a message request: the first invalid field causes a native 400. */
export function parseMessages(body: Buffer, manner: Manner = {}): Parsed<MessagesRequest> {
  const findFault = (request: MessagesRequest): NativeError | null =>
    findContradiction(request) ?? findBrokenRule(request, manner.isStrict);
  const schema = manner.version === 'current' ? currentMessagesSchema : messagesSchema;
  return parse<MessagesRequest>(body, manner, schema, findFault);
}

/** Reads the body of a token-count request, which has fewer members. */
export function parseCount(body: Buffer, manner: Manner = {}): Parsed<CountRequest> {
  const schema = manner.version === 'current' ? currentCountSchema : countSchema;
  return parse<CountRequest>(body, manner, schema, (request) => findBrokenRule(request, manner.isStrict));
}

function parse<T>(
  body: Buffer,
  { betas }: Manner,
  schema: z.ZodType<T>,
  findFault: (request: T) => NativeError | null,
): Parsed<T> {
  const json = parseJson(body);
  if (!isObject(json)) {
    return { ok: false, error: invalidRequest('The request body is not valid JSON, or no object') };
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) return { ok: false, error: describe(parsed.error, json) };
  const error = findUndeclaredBeta(json, betas) ?? findFault(parsed.data);
  return error === null ? { ok: true, request: parsed.data } : { ok: false, error };
}

/** The first invalid field, as `messages.0.content.1.text: what is wrong`. */
function describe(error: z.ZodError, body: object): NativeError {
  const issue = deepestIssue(error.issues[0]);
  if (issue === undefined) return invalidRequest('The request is not valid');
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown];
  return invalidRequest(
    `${path.map(String).join('.')}: ${reasonOf(issue, valueAt(body, path) === undefined)}`,
  );
}

function reasonOf(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (issue.code === 'unrecognized_keys') return 'Extra inputs are not permitted';
  if (isMissing) return 'Field required';
  switch (issue.code) {
    case 'invalid_type':
      return `Input should be a valid ${issue.expected}`;
    case 'too_small':
      return `Input should be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `Input should be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `Input should be ${issue.values.map((value) => `'${String(value)}'`).join(' or ')}`;
    case 'invalid_format':
      return issue.message;
    default:
      return 'Input is of no kind that is known here';
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' items long' : '';
}

/** Members that exist only with a declared beta, by the prefix of the beta's name. */
const members: ReadonlyMap<string, readonly string[]> = new Map([
  ['billing_policy', ['user-profiles-billing-']],
  ['compaction', ['compact-']],
  ['context_management', ['context-management-', 'compact-']],
  ['fallback_credit_token', ['fallback-credit-']],
  ['fallbacks', ['server-side-fallback-']],
  ['mcp_servers', ['mcp-client-']],
  ['output_format', ['structured-outputs-']],
  ['thread', ['message-threads-']],
]);

/** The first member of a body that needs a beta which `anthropic-beta` does not name. */
function findUndeclaredBeta(body: object, header: string | undefined): NativeError | null {
  const declared = (header ?? '').split(',').map((name) => name.trim());
  const undeclared = Object.keys(body).find((member) => {
    const needed = members.get(member);
    return needed !== undefined && !declared.some((name) => needed.some((beta) => name.startsWith(beta)));
  });
  return undeclared === undefined ? null : invalidRequest(`${undeclared}: Extra inputs are not permitted`);
}
