import { z } from 'zod';
import { renderPath } from '../../json/issue.ts';
import { deepestIssue, isObject, valueAt } from '../../json/json-body.ts';
import { decodeRequest } from '../../requests/decode-request.ts';
import { countTokens, turnTokens } from '../../tokens.ts';
import { invalidRequest, type NativeError } from '../chat-completions/errors.ts';
import type { Prompt, ToolChoice } from '../composition/prompt.ts';

const functionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string().min(1),
  parameters: z.unknown(),
});

/** The members of a request that this upstream evaluates. It accepts and ignores all others. */
const requestSchema = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
  instructions: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.string() })]).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
export type ResponseRequest = z.infer<typeof requestSchema>;

export type ParsedRequest =
  | { readonly ok: true; readonly request: ResponseRequest; readonly promptTokens: number }
  | { readonly ok: false; readonly error: NativeError };

/** Reads a body: the first invalid member causes a native 400. */
export function parseRequest(json: unknown): ParsedRequest {
  if (!isObject(json))
    return {
      ok: false,
      error: invalidRequest('The body of the request must be one JSON object.', null, null),
    };
  const parsed = requestSchema.safeParse(json);
  if (parsed.success) return { ok: true, request: parsed.data, promptTokens: countPrompt(parsed.data) };
  const issue = deepestIssue(parsed.error.issues[0]);
  const param = renderPath(issue?.path ?? []);
  const isMissing = valueAt(json, issue?.path ?? []) === undefined;
  return {
    ok: false,
    error: isMissing
      ? invalidRequest(`The parameter '${param}' is required.`, param, 'missing_required_parameter')
      : invalidRequest(`'${param}' has the wrong type or value.`, param, 'invalid_type'),
  };
}

/** By the token rule: 4 for each turn plus its text, then the tools as JSON. */
function countPrompt(request: ResponseRequest): number {
  const { turns } = decodeRequest(request);
  const tools = request.tools == null ? 0 : countTokens(JSON.stringify(request.tools));
  return turns.reduce((sum, { text }) => sum + turnTokens + countTokens(text), tools);
}

/** The parts of a request that determine the model's answer. */
export function promptOf(request: ResponseRequest): Prompt {
  const { model, input, instructions, tools, tool_choice: choice, text, reasoning } = request;
  const functions = (tools ?? []).flatMap((tool) => functionTool.safeParse(tool).data ?? []);
  return {
    model,
    conversation: JSON.stringify([instructions ?? null, input ?? null]),
    seed: null,
    stops: [],
    maxTokens: request.max_output_tokens ?? null,
    tools: functions.map(({ name, parameters }) => ({ name, parameters })),
    choice: choiceOf(choice, functions.length > 0),
    thinks: reasoning?.summary != null,
    format: formatOf(text?.format),
  };
}

function choiceOf(choice: ResponseRequest['tool_choice'], hasFunctions: boolean): ToolChoice {
  if (choice == null || !hasFunctions) return choice === 'none' ? 'none' : 'auto';
  if (typeof choice === 'string') return choice;
  return choice.type === 'function' && typeof choice.name === 'string' ? { name: choice.name } : 'auto';
}

function formatOf(format: NonNullable<ResponseRequest['text']>['format']): Prompt['format'] {
  if (format?.type === 'json_schema') return { schema: format.schema ?? {} };
  return format?.type === 'json_object' ? { schema: null } : 'text';
}
