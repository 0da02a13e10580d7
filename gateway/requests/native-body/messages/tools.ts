import type { JsonObject } from '../../../http/parse-json.ts';
import type { ChatRequest } from '../../chat-request.ts';
import { objectSchema } from '../object-schema.ts';
import { valueAt } from '../value-at.ts';
import { hintOf } from './blocks.ts';
import { legalToolName } from './legal-names.ts';

interface NativeTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: JsonObject;
  readonly cache_control?: object;
}

type NativeChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: true }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: true }
  | { readonly type: 'none' };

/** The tools of a native request; empty lists and null for what is left out. */
export interface NativeTools {
  readonly tools: readonly NativeTool[];
  readonly choice: NativeChoice | null;
  /** A tool of the gateway whose input is the text of the answer. */
  readonly textTool: string | null;
}

const textToolName = 'answer_in_json';
const textToolPurpose = 'Gives the answer: the input of this tool, one JSON object, is the whole answer.';

/**
 * Tools and the choice among them. The dialect cannot request JSON output, so the gateway forces a tool of its own
 * whose input is the document. If the caller forces one of their tools, that choice has precedence.
 */
export function nativeTools(request: ChatRequest): NativeTools {
  const { tool_choice: choice = null, parallel_tool_calls: parallel } = request.fields;
  const tools = givenTools(request);
  const single = parallel === false ? { disable_parallel_tool_use: true as const } : {};
  const isForced = choice === 'required' || typeof choice === 'object';
  const schema = tools.length > 0 && choice !== null && isForced ? null : documentSchema(request);
  if (schema !== null) {
    const textTool = freeName(tools);
    const ours = { name: textTool, description: textToolPurpose, input_schema: schema };
    const isOnly = tools.length === 0 || choice === 'none';
    return {
      tools: [...tools, ours],
      choice: isOnly
        ? { type: 'tool', name: textTool, disable_parallel_tool_use: true }
        : { type: 'any', ...single },
      textTool,
    };
  }
  // A history with calls requires tools, even if no more calls are allowed.
  if (tools.length === 0) {
    const past = pastTools(request);
    return { tools: past, choice: past.length > 0 ? { type: 'none' } : null, textTool: null };
  }
  return { tools, choice: nativeChoice(choice, single), textTool: null };
}

function nativeChoice(
  choice: ChatRequest['fields']['tool_choice'],
  single: { readonly disable_parallel_tool_use?: true },
): NativeChoice | null {
  if (choice == null) return single.disable_parallel_tool_use ? { type: 'auto', ...single } : null;
  if (typeof choice === 'object') return { type: 'tool', name: choice.function.name, ...single };
  if (choice === 'none') return { type: 'none' };
  return { type: choice === 'required' ? 'any' : 'auto', ...single };
}

function givenTools({ fields, exact }: ChatRequest): NativeTool[] {
  return (fields.tools ?? []).map(({ function: given, cache_control: hint }, i) => ({
    name: given.name,
    ...(given.description && { description: given.description }),
    input_schema: objectSchema(valueAt(exact, 'tools', i, 'function', 'parameters')),
    ...hintOf(hint),
  }));
}

/** The tools that earlier turns of the conversation called. */
function pastTools({ fields }: ChatRequest): NativeTool[] {
  const called = fields.messages.flatMap((message) =>
    message.role === 'assistant'
      ? (message.tool_calls ?? []).map((call) => legalToolName(call.function.name))
      : [],
  );
  return [...new Set(called)].map((name) => ({ name, input_schema: { type: 'object' } }));
}

/** The required form of the whole answer: a schema for a JSON document, null for plain text. */
function documentSchema({ fields, exact }: ChatRequest): JsonObject | null {
  switch (fields.response_format?.type) {
    case 'json_object':
      return { type: 'object' };
    case 'json_schema':
      return objectSchema(valueAt(exact, 'response_format', 'json_schema', 'schema'));
    default:
      return null;
  }
}

/** A name for our tool that no tool of the caller has. */
function freeName(tools: readonly NativeTool[]): string {
  const taken = new Set(tools.map((tool) => tool.name));
  let name = textToolName;
  while (taken.has(name)) name += '_';
  return name;
}
