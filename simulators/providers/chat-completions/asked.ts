import { isObject, parseJson, valueAt } from '../../json/json-body.ts';
import type { Prompt, ToolChoice } from '../composition/prompt.ts';
import type { NativeError } from './errors.ts';
import {
  type ChatRequest,
  checkRequest,
  maxTokensOf,
  type ParsedRequest,
  parseRequest,
  stopsOf,
} from './request.ts';
import { countPrompt } from './usage.ts';

/** A valid request, with the length of its prompt, which both its limits and its usage need. */
export interface Asked {
  readonly request: ChatRequest;
  readonly promptTokens: number;
}

export function askedOf(request: ChatRequest): Asked {
  return { request, promptTokens: countPrompt(request) };
}

/** The result of reading a body. */
export interface ReadBody {
  /** Whether the body, valid or not, asks for a stream. */
  readonly wantsStream: boolean;
  readonly read: Read;
}

export type Read = { ok: true; asked: Asked } | { ok: false; error: NativeError };

/** Reads a body. `deployment` is the model in the URL. */
export function readBody(body: Buffer, deployment: string | null = null): ReadBody {
  const json = withModel(parseJson(body), deployment);
  return { wantsStream: valueAt(json, ['stream']) === true, read: readOf(checkRequest(json)) };
}

/** The body with the model from the URL, if it names no model itself. */
export function withModel(json: unknown, deployment: string | null): unknown {
  return deployment !== null && isObject(json) && !('model' in json) ? { ...json, model: deployment } : json;
}

/** Like {@link readBody}, but rejects members that the provider's API does not have. */
export function readStrictly(body: Buffer): Read {
  return readOf(parseRequest(body, true));
}

function readOf(parsed: ParsedRequest): Read {
  return parsed.ok ? { ok: true, asked: askedOf(parsed.request) } : parsed;
}

/** The parts of a request that determine the model's answer. */
export function promptOf(request: ChatRequest): Prompt {
  const { model, messages, seed, tools, tool_choice: choice } = request;
  // Generated answers call only functions. Custom tools are accepted but never called.
  const functions = (tools ?? []).flatMap((tool) =>
    tool.type === 'function' ? [{ name: tool.function.name, parameters: tool.function.parameters }] : [],
  );
  return {
    model,
    conversation: JSON.stringify(messages),
    seed: seed ?? null,
    stops: stopsOf(request),
    maxTokens: maxTokensOf(request),
    tools: functions,
    choice: choiceOf(choice, functions.length > 0),
    format: formatOf(request.response_format),
  };
}

function choiceOf(choice: ChatRequest['tool_choice'], hasFunctions: boolean): ToolChoice {
  if (!hasFunctions || choice == null) return choice === 'none' ? 'none' : 'auto';
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function') return choice.function;
  return choice.type === 'allowed_tools' ? choice.allowed_tools.mode : 'auto';
}

function formatOf(format: ChatRequest['response_format']): Prompt['format'] {
  switch (format?.type) {
    case 'json_object':
      return { schema: null };
    case 'json_schema':
      return { schema: format.json_schema.schema ?? {} };
    default:
      return 'text';
  }
}
