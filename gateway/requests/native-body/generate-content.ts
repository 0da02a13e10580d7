import { isObject, type JsonObject } from '../../http/parse-json.ts';
import type { NativeRequest } from '../../upstreams/chat-dialect.ts';
import type { ChatRequest } from '../chat-request.ts';
import type { ChatFields } from '../chat-schema.ts';
import { stopsOf } from '../stops.ts';
import { conversation } from './generate-content/contents.ts';
import { type FunctionNames, functionNames } from './generate-content/function-names.ts';
import { objectSchema } from './object-schema.ts';
import { valueAt } from './value-at.ts';
import { wellFormedJson } from './well-formed-json.ts';

/**
 * The body in the generate-content dialect; the path names the model. The dialect has no place for `user`,
 * `metadata`, `detail`, `strict` and speaker names. Cache hints mean nothing to these models (B-29).
 */
export function generateContentBody(request: ChatRequest): NativeRequest {
  const names = functionNames(request.fields);
  const body = wellFormedJson(nativeRequest(request, names));
  return names.given.size > 0 ? { body, givenNames: names.given } : { body };
}

/** The body of the call that counts the tokens of the same prompt. */
export function generateContentCountBody(request: ChatRequest, nativeModel: string): string {
  const native = nativeRequest(request, functionNames(request.fields));
  return wellFormedJson({ generateContentRequest: { model: `models/${nativeModel}`, ...native } });
}

function nativeRequest(request: ChatRequest, names: FunctionNames): object {
  const { fields } = request;
  const config = generationConfig(request);
  return {
    ...conversation(fields.messages, names),
    ...(fields.tools != null && fields.tools.length > 0 && tools(request, names)),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}

function tools({ exact, fields }: ChatRequest, names: FunctionNames): object {
  const declarations = (fields.tools ?? []).map(({ function: { name, description, parameters } }, i) => ({
    name: names.native(name),
    ...(description != null && { description }),
    // From the exact body: a schema may hold numbers that a double cannot represent.
    ...(parameters != null && {
      parametersJsonSchema: argumentsSchema(valueAt(exact, 'tools', i, 'function', 'parameters')),
    }),
  }));
  const choice = fields.tool_choice;
  return {
    tools: [{ functionDeclarations: declarations }],
    ...(choice != null && { toolConfig: { functionCallingConfig: callingConfig(choice, names) } }),
  };
}

/** A schema with a reference may have no other members. */
function argumentsSchema(schema: unknown): unknown {
  return isObject(schema) && Object.hasOwn(schema, '$ref') ? schema : objectSchema(schema);
}

function callingConfig(choice: NonNullable<ChatFields['tool_choice']>, names: FunctionNames): object {
  switch (choice) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    default:
      return { mode: 'ANY', allowedFunctionNames: [names.native(choice.function.name)] };
  }
}

function generationConfig({ fields, exact, maxTokens }: ChatRequest): JsonObject {
  const { temperature, top_p: topP, seed, response_format: format } = fields;
  const stops = stopsOf(fields);
  const config: Record<string, unknown> = {};
  if (temperature != null) config.temperature = temperature;
  if (topP != null) config.topP = topP;
  if (maxTokens !== null) config.maxOutputTokens = maxTokens;
  if (stops.length > 0) config.stopSequences = stops;
  if (seed != null) config.seed = seed32(seed, exact.seed);
  if (format?.type === 'json_object' || format?.type === 'json_schema')
    config.responseMimeType = 'application/json';
  if (format?.type === 'json_schema' && format.json_schema.schema != null)
    config.responseJsonSchema = valueAt(exact, 'response_format', 'json_schema', 'schema');
  return config;
}

/** Our seeds have 64 bits, these 32 (B-20). The low bits are sent, so that equal seeds stay equal. */
function seed32(seed: number, exact: unknown): number {
  const digits = JSON.stringify(exact);
  const whole = /^-?\d+$/.test(digits) ? BigInt(digits) : BigInt(seed);
  return Number(BigInt.asIntN(32, whole));
}
