import { z } from 'zod';
import { renderPath } from '../../json/issue.ts';
import { deepestIssue, isObject, parseJson, valueAt } from '../../json/json-body.ts';
import { invalidRequest, type NativeError } from './errors.ts';

/** The members of a native request that this upstream evaluates. It accepts and ignores all others. */
export type ChatRequest = z.infer<typeof requestSchema>;
export type ChatMessage = ChatRequest['messages'][number];
export type Tool = NonNullable<ChatRequest['tools']>[number];

export type ParsedRequest = { ok: true; request: ChatRequest } | { ok: false; error: NativeError };

/**
 * Reads a body: the first invalid field causes a native 400. `isStrict` also rejects members that the provider's own API does
 * not have; compatible providers ignore them.
 */
export function parseRequest(body: Buffer, isStrict = false): ParsedRequest {
  return checkRequest(parseJson(body), isStrict);
}

export function checkRequest(json: unknown, isStrict = false): ParsedRequest {
  if (!isObject(json)) {
    const message = 'The body of the request could not be read: it must be one JSON object.';
    return { ok: false, error: invalidRequest(message, null, null) };
  }
  const parsed = requestSchema.safeParse(json);
  if (!parsed.success) return { ok: false, error: describe(parsed.error, json) };
  const error = (isStrict ? findUnknownMember(json) : null) ?? findContradiction(parsed.data);
  return error === null ? { ok: true, request: parsed.data } : { ok: false, error };
}

/** The limit on completion tokens, under either of its two names. */
export function maxTokensOf(request: ChatRequest): number | null {
  return request.max_completion_tokens ?? request.max_tokens ?? null;
}

export function stopsOf(request: ChatRequest): string[] {
  const { stop } = request;
  return typeof stop === 'string' ? [stop] : (stop ?? []);
}

const block = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({ url: z.string().regex(/^(https?:\/\/.|data:[^,]+,)/i) }),
  }),
  z.looseObject({ type: z.literal('input_audio'), input_audio: z.looseObject({ data: z.string() }) }),
  z.looseObject({ type: z.literal('file'), file: z.looseObject({}) }),
]);

const functionName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const functionCall = z.looseObject({ name: z.string(), arguments: z.string() });

const toolCall = z.discriminatedUnion('type', [
  z.looseObject({ id: z.string(), type: z.literal('function'), function: functionCall }),
  z.looseObject({
    id: z.string(),
    type: z.literal('custom'),
    custom: z.looseObject({ name: z.string(), input: z.string() }),
  }),
]);

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(block).min(1)]).nullish(),
  name: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().nullish(),
  function_call: functionCall.nullish(),
  audio: z.looseObject({ id: z.string() }).nullish(),
});

const functionDeclaration = z.looseObject({
  name: functionName,
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

const tool = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('function'), function: functionDeclaration }),
  z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: functionName }) }),
]);

const named = z.looseObject({ name: z.string() });

const requestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  n: z.int().min(1).max(128).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  // A 64-bit number does not survive JSON.parse exactly, but it must be accepted.
  seed: z.number().refine(Number.isInteger).nullish(),
  user: z.string().nullish(),
  tools: z.array(tool).min(1).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: named }),
      z.looseObject({ type: z.literal('custom'), custom: named }),
      z.looseObject({
        type: z.literal('allowed_tools'),
        allowed_tools: z.looseObject({
          mode: z.enum(['auto', 'required']),
          tools: z.array(z.looseObject({})),
        }),
      }),
    ])
    .nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ name: z.string(), schema: z.record(z.string(), z.unknown()).nullish() }),
      }),
    ])
    .nullish(),
});

/** Checks the rules that involve several members. */
function findContradiction(request: ChatRequest): NativeError | null {
  if (request.stream_options != null && request.stream !== true) {
    return invalidRequest("'stream_options' goes only with 'stream'.", 'stream_options', null);
  }
  if (request.top_logprobs != null && request.logprobs !== true) {
    return invalidRequest("'top_logprobs' goes only with 'logprobs'.", 'top_logprobs', null);
  }
  const { tools, tool_choice: choice } = request;
  if (choice != null && tools == null) {
    return invalidRequest("'tool_choice' goes only with 'tools'.", 'tool_choice', null);
  }
  const chosen = typeof choice === 'object' && choice !== null ? nameOf(choice) : null;
  if (chosen !== null && !tools?.some((one) => nameOf(one) === chosen)) {
    return invalidRequest("'tool_choice' names a function that is not in 'tools'.", 'tool_choice', null);
  }
  return findBrokenTurn(request.messages);
}

/** The name of a declared, chosen or called tool; null if it names none. */
function nameOf(one: Tool | Exclude<ChatRequest['tool_choice'], string | null | undefined>): string | null {
  if (one.type === 'function') return one.function.name;
  return one.type === 'custom' ? one.custom.name : null;
}

function findUnknownMember(body: object): NativeError | null {
  const unknown = Object.keys(body).find(
    (name) => !Object.hasOwn(requestSchema.shape, name) && !isIgnored(name),
  );
  return unknown === undefined
    ? null
    : invalidRequest(`Unrecognized request argument supplied: ${unknown}`, null, null);
}

/** Tool results must follow the calls that they answer, and every call needs a result. */
function findBrokenTurn(messages: readonly ChatMessage[]): NativeError | null {
  const open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const { role, content, tool_calls: calls, tool_call_id: answered } = message;
    const param = `messages[${at}]`;
    if (role === 'tool') {
      if (answered == null) return missing(`${param}.tool_call_id`);
      if (!open.delete(answered)) {
        return invalidRequest(
          `'${param}' answers no call of the assistant before it.`,
          `${param}.role`,
          null,
        );
      }
    } else if (open.size > 0) {
      return invalidRequest(`'${param}' comes before the answers to all tool calls.`, param, null);
    }
    if (content == null && !mayBeSilent(message)) {
      return invalidRequest(`'${param}.content' must not be null.`, `${param}.content`, null);
    }
    for (const call of calls ?? []) open.add(call.id);
  }
  return open.size === 0 ? null : invalidRequest('A tool call has no answer.', 'messages', null);
}

/** Messages that may lack text: an assistant that calls or speaks, and a function result. */
function mayBeSilent({ role, tool_calls: calls, function_call: call, audio }: ChatMessage): boolean {
  if (role === 'function') return true;
  return role === 'assistant' && ((calls ?? []).length > 0 || call != null || audio != null);
}

function missing(param: string): NativeError {
  return invalidRequest(`The parameter '${param}' is required.`, param, 'missing_required_parameter');
}

function describe(error: z.ZodError, body: object): NativeError {
  const issue = deepestIssue(error.issues[0]);
  if (issue === undefined) return invalidRequest('The request is not valid.', null, null);
  const param = renderPath(issue.path);
  if (valueAt(body, issue.path) === undefined) return missing(param);
  const value = `'${param}'`;
  switch (issue.code) {
    case 'invalid_type':
      return invalidRequest(
        `${value} has the wrong type: ${issue.expected} is expected.`,
        param,
        'invalid_type',
      );
    case 'too_big':
      return invalidRequest(
        `${value} is above its maximum, ${issue.maximum}.`,
        param,
        `${size(issue.origin)}_above_max`,
      );
    case 'too_small':
      return invalidRequest(
        `${value} is below its minimum, ${issue.minimum}.`,
        param,
        `${size(issue.origin)}_below_min`,
      );
    case 'invalid_union':
      return invalidRequest(`${value} has the wrong type or value.`, param, 'invalid_type');
    default:
      return invalidRequest(`${value} has a value that is not supported.`, param, 'invalid_value');
  }
}

function size(origin: string): string {
  return origin === 'array' || origin === 'string' ? origin : 'number';
}

/** Members of the provider's API that have no effect here. */
const ignored = new Set([
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'metadata',
  'modalities',
  'moderation',
  'parallel_tool_calls',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'service_tier',
  'store',
  'verbosity',
  'web_search_options',
]);

/** Whether this upstream knows the member and ignores it. */
function isIgnored(member: string): boolean {
  return ignored.has(member);
}
