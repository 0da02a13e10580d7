import type { Random } from '../../random.ts';
import { words } from './words.ts';

/** Schemas may be recursive; below this depth every value is null. */
const deepestLevel = 8;

/** A value that fits the common parts of a JSON Schema: type, enum, const, bounds, properties, items, unions. */
export function generateExample(schema: unknown, random: Random): unknown {
  return generateValue(schema, random, 0);
}

function generateValue(schema: unknown, random: Random, level: number): unknown {
  if (!isRecord(schema) || level > deepestLevel) return null;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return random.pick<unknown>(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && branches.length > 0) return generateValue(branches[0], random, level + 1);
  switch (typeOf(schema)) {
    case 'string':
      return fitLength(random.pick(words), schema);
    case 'integer':
    case 'number':
      return generateNumber(schema, random);
    case 'boolean':
      return random.below(2) === 1;
    case 'array':
      return generateItems(schema, random, level);
    case 'object':
      return generateProperties(schema, random, level);
    default:
      return null;
  }
}

function typeOf(schema: Record<string, unknown>): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null';
  return type ?? ('items' in schema ? 'array' : 'object');
}

function fitLength(text: string, schema: Record<string, unknown>): string {
  return text.padEnd(numberOr(schema.minLength, 0), 'x').slice(0, numberOr(schema.maxLength, Infinity));
}

function generateNumber(schema: Record<string, unknown>, random: Random): number {
  const lowest = numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, 0) + 1);
  const highest = numberOr(schema.maximum, numberOr(schema.exclusiveMaximum, lowest + 100) - 1);
  const [low, high] = [Math.ceil(lowest), Math.floor(highest)];
  return high >= low ? random.between(low, high) : lowest;
}

function generateItems(schema: Record<string, unknown>, random: Random, level: number): unknown[] {
  const length = Math.min(Math.max(1, numberOr(schema.minItems, 1)), numberOr(schema.maxItems, 100));
  return Array.from({ length }, () => generateValue(schema.items ?? { type: 'string' }, random, level + 1));
}

function generateProperties(schema: Record<string, unknown>, random: Random, level: number): object {
  if (!isRecord(schema.properties)) return {};
  const entries = Object.entries(schema.properties);
  return Object.fromEntries(entries.map(([name, inner]) => [name, generateValue(inner, random, level + 1)]));
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
