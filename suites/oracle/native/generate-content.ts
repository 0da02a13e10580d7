import { hintsIn, type Json, objectOf, objectsIn, textOrNull } from './json.ts';
import type { NativeView, Part, ToolChoice, ToolView, Turn } from './view.ts';

/** Reads a request of the generate-content dialect. Members may be in camel case or in snake case. */
export function readGenerateContent(path: string, body: Json): NativeView {
  const config = objectOf(member(body, 'generationConfig'));
  return {
    dialect: 'generate-content',
    model: modelOf(path),
    stream: /:streamGenerateContent$/.test(path.split('?', 1)[0] ?? ''),
    system: systemParts(member(body, 'systemInstruction')),
    turns: objectsIn(body.contents).flatMap(turnsOf),
    tools: objectsIn(body.tools).flatMap((tool) =>
      objectsIn(member(tool, 'functionDeclarations')).map(toolOf),
    ),
    fields: {
      temperature: config.temperature ?? null,
      top_p: member(config, 'topP') ?? null,
      max_tokens: member(config, 'maxOutputTokens') ?? null,
      stop: (member(config, 'stopSequences') as unknown[] | null | undefined) ?? [],
      seed: config.seed ?? null,
      tool_choice: choiceOf(body),
      response_format: formatOf(config),
      // The dialect has no member for an end user.
      user: null,
    },
    hints: hintsIn(body),
  };
}

function modelOf(path: string): string | null {
  const name = /\/models\/([^/?]+):[A-Za-z]+(?:\?|$)/.exec(path)?.[1];
  return name === undefined ? null : decodeURIComponent(name);
}

function systemParts(instruction: unknown): Part[] {
  if (typeof instruction === 'string') return textParts([{ text: instruction }]);
  return textParts(objectsIn(objectOf(instruction).parts));
}

/** The turns within one native content: each function response separately, and the rest. */
function turnsOf(content: Json): Turn[] {
  const role = content.role === 'model' ? 'assistant' : 'user';
  const parts = objectsIn(content.parts);
  const results = parts.flatMap((part) => {
    const response = member(part, 'functionResponse');
    return response === undefined ? [] : [resultTurn(objectOf(response))];
  });
  const calls = parts.flatMap((part) => {
    const call = member(part, 'functionCall');
    if (call === undefined) return [];
    const { id, name, args } = objectOf(call);
    return [{ id: textOrNull(id), name: String(name), arguments: args ?? {}, cache: null }];
  });
  const said = textParts(parts.filter((part) => !isCallOrResult(part)));
  if (said.length === 0 && calls.length === 0 && results.length > 0) return results;
  return [...results, { role, parts: said, calls, result: null }];
}

function resultTurn({ id, name, response }: Json): Turn {
  const result = {
    callId: textOrNull(id),
    name: textOrNull(name),
    value: response ?? {},
    cache: null,
  };
  return { role: 'tool', parts: [], calls: [], result };
}

function isCallOrResult(part: Json): boolean {
  return member(part, 'functionCall') !== undefined || member(part, 'functionResponse') !== undefined;
}

/** Thoughts and parts with only a signature have no text. */
function textParts(parts: readonly Json[]): Part[] {
  return parts
    .filter((part) => part.thought !== true)
    .map(partOf)
    .filter((part) => part.kind !== 'text' || part.text !== '');
}

function partOf(part: Json): Part {
  if (typeof part.text === 'string') return { kind: 'text', text: part.text, cache: null };
  const inline = member(part, 'inlineData');
  const file = member(part, 'fileData');
  if (inline === undefined && file === undefined) return { kind: 'other', raw: part, cache: null };
  const medium = objectOf(inline ?? file);
  return {
    kind: 'media',
    block: inline === undefined ? 'fileData' : 'inlineData',
    mime: textOrNull(member(medium, 'mimeType')),
    base64: textOrNull(medium.data),
    url: textOrNull(member(medium, 'fileUri')),
    cache: null,
  };
}

function toolOf(declaration: Json): ToolView {
  const schema = member(declaration, 'parametersJsonSchema');
  return {
    name: String(declaration.name),
    description: textOrNull(declaration.description),
    parameters: schema ?? declaration.parameters ?? null,
    schema: schema === undefined && declaration.parameters !== undefined ? 'own' : 'json-schema',
    cache: null,
  };
}

function choiceOf(body: Json): ToolChoice | null {
  const config = objectOf(member(objectOf(member(body, 'toolConfig')), 'functionCallingConfig'));
  const allowed = (member(config, 'allowedFunctionNames') as unknown[] | undefined) ?? [];
  switch (String(config.mode ?? '').toUpperCase()) {
    case 'NONE':
      return 'none';
    case 'AUTO':
    case 'VALIDATED':
      return 'auto';
    case 'ANY':
      return allowed.length === 1 ? { name: String(allowed[0]) } : 'required';
    default:
      return null;
  }
}

function formatOf(config: Json): { type: string; schema: unknown } | null {
  if (member(config, 'responseMimeType') !== 'application/json') return null;
  const schema = member(config, 'responseJsonSchema') ?? member(config, 'responseSchema') ?? null;
  return { type: schema === null ? 'json_object' : 'json_schema', schema };
}

/** A member by its camel-case name or its snake-case name. */
function member(object: Json, name: string): unknown {
  return object[name] ?? object[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
