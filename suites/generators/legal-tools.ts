import fc from 'fast-check';
import type { ToolDefinition } from '../oracle/sample-tools.ts';
import { unicodeText } from './unicode-text.ts';

/**
 * Function names within the strictest reading (B-26): 1 to 64 letters, digits, _ and -. The bounds are
 * frequent.
 */
export const toolName: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  fc.constantFrom('f', '_', '-', '0', 'n'.repeat(64), '__proto__', 'constructor', 'a-b_c-D9', 'functions'),
);

const leaf: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({ type: fc.constant('string'), description: unicodeText }),
  fc.record({
    type: fc.constant('string'),
    enum: fc.uniqueArray(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ type: fc.constant('number'), minimum: fc.integer(), exclusiveMaximum: fc.constant(1e-7) }),
  fc.record({ type: fc.constant('boolean'), default: fc.boolean() }),
  fc.constant({ $ref: '#/$defs/place' }),
);

type Schemas = fc.Arbitrary<Record<string, unknown>>;

/** A schema as it is, or within another one: lists of lists and objects within lists are usual. */
const within = (inner: Schemas): Schemas =>
  fc.oneof(
    inner,
    inner.map((items) => ({ type: 'array', items, minItems: 0 })),
    inner.map((member) => ({ type: 'object', properties: { member }, additionalProperties: false })),
    inner.map((title) => ({
      title: 'Page',
      type: 'object',
      properties: { title },
      examples: [{ title: '' }],
    })),
  );

const property: Schemas = within(within(within(leaf)));

/** Words of JSON Schema that are plausible argument names, and names that every object inherits. */
const schemaWords = (
  'title type description default format required properties items enum examples id $ref const pattern minimum ' +
  'additionalProperties anyOf name parameters strict nullable constructor toString'
).split(' ');

const argumentName = fc.oneof(fc.stringMatching(/^[a-zé漢_]{1,10}$/), fc.constantFrom(...schemaWords));

/** Typical JSON Schemas of arguments: nested, with $ref, enum and Unicode. */
const parameters: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(argumentName, property, { maxKeys: 4, noNullPrototype: true })
  .map((properties) => ({
    type: 'object',
    properties,
    required: Object.keys(properties).slice(0, 1),
    $defs: { place: { type: 'object', properties: { lat: { type: 'number' } } } },
  }));

const tool: fc.Arbitrary<ToolDefinition> = fc
  .record({ name: toolName, description: unicodeText, parameters })
  .map((described) => ({ type: 'function', function: described }));

/** A tool with an argument named after each word of JSON Schema, at the top and nested, next to the real keywords. */
export const toolOfSchemaWords: ToolDefinition = (() => {
  const properties = Object.fromEntries(schemaWords.map((word) => [word, { type: 'string', title: word }]));
  const page = { title: 'Page', type: 'object', properties, required: [...schemaWords] };
  const pages = { type: 'array', items: page, description: 'Pages.' };
  const books = { type: 'array', items: pages, description: 'Books.' };
  const parameters = {
    ...page,
    properties: { ...properties, page, pages, books },
    additionalProperties: false,
  };
  return { type: 'function', function: { name: 'file_page', description: 'Files a page.', parameters } };
})();

/** One to three tools with different names. */
export const legalTools: fc.Arbitrary<ToolDefinition[]> = fc.uniqueArray(tool, {
  minLength: 1,
  maxLength: 3,
  selector: (candidate) => candidate.function.name.toLowerCase(),
});
