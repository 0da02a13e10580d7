import { type Random, seededRandom } from '../../random.ts';
import type { ChatRequest, Tool } from './request.ts';

/** What the model says when nobody scripted it. */
export interface GeneratedContent {
  readonly text: string | null;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/**
 * Generated content: a call when the request forces one, a JSON document when it asks for one, else a text of
 * 12 to 40 words. It depends on the process seed, the model, the messages and the `seed` field; on nothing else.
 */
export function generateContent(request: ChatRequest, processSeed: number): GeneratedContent {
  const { model, messages, seed = null, tools, response_format: format } = request;
  const random = seededRandom('content', processSeed, model, JSON.stringify(messages), seed);
  const forced = forcedTool(request.tool_choice, tools ?? [], random);
  if (forced !== null) {
    const example = generateExample(forced.function.parameters ?? {}, random, 0);
    const given = typeof example === 'object' && example !== null ? example : {};
    return { text: null, calls: [{ name: forced.function.name, arguments: JSON.stringify(given) }] };
  }
  if (format?.type === 'json_object') return { text: JSON.stringify(generateDocument(random)), calls: [] };
  if (format?.type === 'json_schema') {
    return { text: JSON.stringify(generateExample(format.json_schema.schema ?? {}, random, 0)), calls: [] };
  }
  return { text: generateText(random), calls: [] };
}

function forcedTool(choice: ChatRequest['tool_choice'], tools: readonly Tool[], random: Random): Tool | null {
  if (choice === 'required') return random.pick(tools);
  if (typeof choice !== 'object' || choice === null) return null;
  return tools.find((tool) => tool.function.name === choice.function.name) ?? null;
}

const words =
  'the river keeps its old course while morning light falls over quiet fields and a small boat drifts past stone bridges where people wait for news from distant towns under tall trees that turn slowly in warm wind'.split(
    ' ',
  );

function generateText(random: Random): string {
  const count = random.between(12, 40);
  const chosen = Array.from({ length: count }, () => random.pick(words));
  const sentences: string[] = [];
  while (chosen.length > 0) {
    const sentence = chosen.splice(0, random.between(5, 12)).join(' ');
    sentences.push(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
  }
  return sentences.join(' ');
}

function generateDocument(random: Random): Record<string, unknown> {
  return {
    title: `${random.pick(words)} ${random.pick(words)}`,
    count: random.between(1, 99),
    items: Array.from({ length: random.between(1, 3) }, () => random.pick(words)),
    done: random.below(2) === 1,
  };
}

/** Schemas may refer to themselves; below this depth everything is null. */
const deepestLevel = 8;

/** A value that fits the common parts of a JSON Schema: type, enum, const, bounds, properties, items, unions. */
export function generateExample(schema: unknown, random: Random, level: number): unknown {
  if (!isRecord(schema) || level > deepestLevel) return null;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return random.pick<unknown>(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && branches.length > 0) return generateExample(branches[0], random, level + 1);
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
  return Array.from({ length }, () => generateExample(schema.items ?? { type: 'string' }, random, level + 1));
}

function generateProperties(schema: Record<string, unknown>, random: Random, level: number): object {
  if (!isRecord(schema.properties)) return {};
  const entries = Object.entries(schema.properties);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, generateExample(inner, random, level + 1)]),
  );
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
