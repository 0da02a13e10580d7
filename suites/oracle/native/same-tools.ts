import { isDeepStrictEqual } from 'node:util';
import { forcesJson } from './forced-json.ts';
import { type Json, objectOf } from './json.ts';
import { toolNames } from './tool-names.ts';
import type { NativeView, ToolView } from './view.ts';

/**
 * Whether every tool arrived in its order with name, description and parameters. A further tool may only force
 * JSON.
 */
export function sameTools(sent: NativeView, seen: NativeView): boolean {
  const names = toolNames(sent, seen);
  const known = sent.tools.map((tool) => names.get(tool.name) ?? tool.name);
  const found = forcesJson(sent, seen) ? seen.tools.filter((tool) => known.includes(tool.name)) : seen.tools;
  return (
    sent.tools.length === found.length &&
    sent.tools.every((tool, index) => {
      const other = found[index];
      return other !== undefined && other.name === known[index] && sameDefinition(tool, other);
    })
  );
}

function sameDefinition(sent: ToolView, seen: ToolView): boolean {
  return (
    (sent.description ?? '') === (seen.description ?? '') &&
    ([sent, seen].some(({ schema }) => schema === 'own')
      ? translates(sent.parameters, seen.parameters)
      : isDeepStrictEqual(withType(sent.parameters), withType(seen.parameters)))
  );
}

/** Some dialects require the type of the arguments, and a schema even for a function without any. */
function withType(parameters: unknown): unknown {
  const schema = objectOf(parameters);
  const empty = Object.keys(schema).every((name) => name === 'type' || name === 'properties');
  return { type: 'object', ...(empty ? { properties: {} } : {}), ...schema };
}

/** Keywords of JSON Schema that the other schema language also has, so they must be preserved. */
const sharedWords = [
  'description',
  'enum',
  'required',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
] as const;

/** Whether a schema in the other language means the same as this JSON Schema, as far as it can express it. */
function translates(sent: unknown, seen: unknown): boolean {
  const [from, to] = [objectOf(sent), objectOf(seen)];
  const [inner, outer] = [objectOf(from.properties), objectOf(to.properties)];
  return (
    sameType(from, to) &&
    sharedWords.every((word) => from[word] === undefined || isDeepStrictEqual(from[word], to[word])) &&
    isDeepStrictEqual(Object.keys(inner).sort(), Object.keys(outer).sort()) &&
    Object.keys(inner).every((name) => translates(inner[name], outer[name])) &&
    (from.items === undefined || translates(from.items, to.items))
  );
}

function sameType(from: Json, to: Json): boolean {
  // A gateway resolves references, so the type is that of their target.
  if (typeof from.type !== 'string') return true;
  return from.type.toLowerCase() === String(to.type).toLowerCase();
}
