import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { type ChatFields, functionName } from '../../chat-schema.ts';
import { type CommonForm, objectsIn } from './common-form.ts';
import { isCustomTool } from './schema.ts';

type Tool = NonNullable<ChatFields['tools']>[number];

const toolMembers = ['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'] as const;
const choiceMembers = ['type', 'name', 'disable_parallel_tool_use'] as const;

/**
 * The tools of a checked native body as functions, with all digits. Tools that the upstream runs itself are
 * native-only.
 */
export function commonTools(tools: unknown, words: CommonForm): Tool[] {
  const functions: Tool[] = [];
  for (const [i, tool] of objectsIn(tools).entries()) {
    const at = `tools[${i}]`;
    if (!isCustomTool(tool)) {
      words.nativeOnly.push(at);
      continue;
    }
    words.onlyKnown(tool, at, toolMembers);
    const name = String(tool.name);
    if (!functionName.test(name)) words.nativeOnly.push(`${at}.name`);
    words.place(`tools[${functions.length}]`, at);
    functions.push({
      type: 'function',
      function: {
        name,
        ...(tool.description != null && { description: String(tool.description) }),
        ...(isObject(tool.input_schema) && { parameters: tool.input_schema }),
        ...(typeof tool.strict === 'boolean' && { strict: tool.strict }),
      },
    });
  }
  return functions;
}

/** The choice among tools in common form; an empty object for none. */
export function commonChoice(
  choice: unknown,
  words: CommonForm,
): Pick<ChatFields, 'tool_choice' | 'parallel_tool_calls'> {
  if (!isObject(choice)) return {};
  words.onlyKnown(choice, 'tool_choice', choiceMembers);
  return {
    tool_choice: choiceOf(choice),
    ...(choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  };
}

function choiceOf({ type, name }: JsonObject): NonNullable<ChatFields['tool_choice']> {
  switch (type) {
    case 'none':
      return 'none';
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: String(name) } };
    default:
      return 'auto';
  }
}
