import { isObject } from '../../http/parse-json.ts';
import type { NativeRequest } from '../../upstreams/chat-dialect.ts';
import type { ChatRequest } from '../chat-request.ts';
import { jsonOf } from './large-pictures.ts';

/** Fields that go to the upstream with the caller's value; the gateway handles all others. */
const forwarded = ['temperature', 'top_p', 'max_tokens', 'user'] as const;

/**
 * The body in the chat-completions dialect: the caller's values with all digits, under the native model name.
 * `metadata` is not forwarded (it is for the usage log), nor are fields that only repeat a default.
 */
export function chatCompletionsBody(request: ChatRequest, nativeModel: string): NativeRequest {
  const { exact, fields } = request;
  const body: Record<string, unknown> = { model: nativeModel, messages: messagesOf(exact.messages) };
  for (const name of forwarded) if (fields[name] != null) body[name] = fields[name];
  if (fields.seed != null) body.seed = Number.isSafeInteger(fields.seed) ? fields.seed : exact.seed;
  if (fields.response_format != null) body.response_format = exact.response_format;
  if (fields.stop != null && fields.stop.length > 0) body.stop = fields.stop;
  if (fields.tools != null && fields.tools.length > 0) {
    body.tools = listOf(exact.tools).map((tool) => without(tool, 'cache_control'));
    // Upstreams reject both fields without tools, where they have no effect.
    if (fields.tool_choice != null) body.tool_choice = fields.tool_choice;
    if (fields.parallel_tool_calls != null) body.parallel_tool_calls = fields.parallel_tool_calls;
  }
  // A stream must report its usage whether the caller asked for it or not.
  if (request.stream) Object.assign(body, { stream: true, stream_options: { include_usage: true } });
  return { body: jsonOf(body) };
}

function messagesOf(messages: unknown): unknown[] {
  return listOf(messages).map((message) => {
    const bare = without(message, 'refusal', 'parsed', 'extra_content');
    if (!isObject(bare)) return bare;
    const turn: Record<string, unknown> = { ...bare };
    // None of these models honours cache hints (B-29).
    if (Array.isArray(turn.content))
      turn.content = turn.content.map((block) => without(block, 'cache_control'));
    if (Array.isArray(turn.tool_calls)) turn.tool_calls = turn.tool_calls.map(callOf);
    if (Array.isArray(turn.tool_calls) && turn.tool_calls.length === 0) delete turn.tool_calls;
    return turn;
  });
}

/** A call without members for the gateway or the caller's own library. */
function callOf(call: unknown): unknown {
  const bare = without(call, 'index', 'extra_content');
  return isObject(bare) ? { ...bare, function: without(bare.function, 'parsed_arguments') } : bare;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The object without one key; any other value unchanged. */
function without(value: unknown, ...keys: readonly string[]): unknown {
  if (!isObject(value) || !keys.some((key) => Object.hasOwn(value, key))) return value;
  const rest: Record<string, unknown> = { ...value };
  for (const key of keys) delete rest[key];
  return rest;
}
