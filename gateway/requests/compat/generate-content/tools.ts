import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import type { ChatFields } from '../../chat-schema.ts';
import type { NativeOnlyFields } from './native-only-fields.ts';
import { jsonSchemaOf } from './open-api-schema.ts';
import { commonName } from './parts.ts';
import { member, spelled } from './spelling.ts';

type Tool = NonNullable<ChatFields['tools']>[number];

/** The functions of a native body and the choice among them, in common form. */
export function toolsOf(
  body: JsonObject,
  nativeOnly: NativeOnlyFields,
): Pick<ChatFields, 'tools' | 'tool_choice'> {
  const given: unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const tools = given.flatMap((tool, i) =>
    isObject(tool) ? functionsOf(tool, `tools[${i}]`, nativeOnly) : [],
  );
  const choice = choiceOf(body, nativeOnly);
  // Without tools, a choice has no effect.
  return tools.length === 0 ? {} : { tools, ...(choice !== null && { tool_choice: choice }) };
}

function functionsOf(tool: JsonObject, at: string, nativeOnly: NativeOnlyFields): Tool[] {
  nativeOnly.addOthers(tool, at, ['functionDeclarations']);
  const name = spelled(tool, 'functionDeclarations');
  const declarations = tool[name] ?? [];
  if (!Array.isArray(declarations)) {
    nativeOnly.add(`${at}.${name}`);
    return [];
  }
  return declarations.flatMap((one: unknown, i) => {
    const place = `${at}.${name}[${i}]`;
    const read = isObject(one) ? functionOf(one, place, nativeOnly) : null;
    if (read === null) nativeOnly.add(place);
    return read ?? [];
  });
}

function functionOf(declaration: JsonObject, at: string, nativeOnly: NativeOnlyFields): Tool | null {
  const { name, description = null, parameters: own = null } = declaration;
  const json = member(declaration, 'parametersJsonSchema') ?? null;
  const parameters = json ?? (own === null ? null : jsonSchemaOf(own));
  if (typeof name !== 'string' || !commonName.test(name)) return null;
  if (description !== null && typeof description !== 'string') return null;
  if (own !== null && (json !== null || parameters === null)) return null;
  if (parameters !== null && !isObject(parameters)) return null;
  nativeOnly.addOthers(declaration, at, ['name', 'description', 'parameters', 'parametersJsonSchema']);
  return {
    type: 'function',
    function: {
      name,
      ...(description !== null && { description }),
      ...(parameters !== null && { parameters }),
    },
  };
}

function choiceOf(
  body: JsonObject,
  nativeOnly: NativeOnlyFields,
): NonNullable<ChatFields['tool_choice']> | null {
  const at = spelled(body, 'toolConfig');
  const config = body[at];
  if (!isObject(config)) return null;
  nativeOnly.addOthers(config, at, ['functionCallingConfig']);
  const name = spelled(config, 'functionCallingConfig');
  const calling = config[name];
  if (!isObject(calling)) return null;
  const place = `${at}.${name}`;
  nativeOnly.addOthers(calling, place, ['mode', 'allowedFunctionNames']);
  const allowed = member(calling, 'allowedFunctionNames') ?? [];
  const names: unknown[] = Array.isArray(allowed) ? allowed : [null];
  const [first] = names;
  const { mode = 'AUTO' } = calling;
  if (mode === 'ANY' && names.length === 1 && typeof first === 'string')
    return { type: 'function', function: { name: first } };
  if (names.length === 0) {
    if (mode === 'ANY') return 'required';
    if (mode === 'NONE') return 'none';
    if (mode === 'AUTO' || mode === 'MODE_UNSPECIFIED') return 'auto';
  }
  nativeOnly.add(place);
  return null;
}
