import { z } from 'zod';
import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { filledListOf, listOf } from '../../list-schema.ts';
import { snakeCase } from './spelling.ts';

const text = z.string('must be a string');
const anyObject = z.custom<JsonObject>(isObject, 'must be an object').meta({ type: 'object' }).nullish();
const number = z.number('must be a number');

/**
 * Members in one of two spellings, and any others. Both spellings at once are invalid: the upstream might read the
 * unchecked one.
 */
function native(members: Readonly<Record<string, z.ZodType>>) {
  const both = Object.entries(members).flatMap(([name, schema]) => [
    [name, schema] as const,
    [snakeCase(name), schema] as const,
  ]);
  const twice = Object.keys(members).filter((name) => snakeCase(name) !== name);
  const checked = z
    .looseObject(Object.fromEntries(both), 'must be an object')
    .superRefine((given, context) => {
      for (const name of twice) {
        const other = snakeCase(name);
        if (!Object.hasOwn(given, name) || !Object.hasOwn(given, other)) continue;
        context.addIssue({ code: 'custom', path: [other], message: `must not stand beside ${name}` });
      }
    });
  const notBoth = twice.map((name) => {
    const names = [name, snakeCase(name)];
    // Also listed as properties, because client generators ignore names that are only required.
    return { not: { properties: Object.fromEntries(names.map((one) => [one, {}])), required: names } };
  });
  return notBoth.length === 0 ? checked : checked.meta({ allOf: notBoth });
}

const part = native({
  text: text.optional(),
  inlineData: anyObject,
  fileData: anyObject,
  functionCall: anyObject,
  functionResponse: anyObject,
});
const parts = listOf(part, 'must be an array of parts');
const content = z.looseObject(
  {
    role: z.enum(['user', 'model'], 'must be user or model').nullish(),
    parts: parts.refine(({ length }) => length > 0, 'must not be empty').meta({ minItems: 1 }),
  },
  'must be an object',
);
/** Accepts one part without its list, but not a list written as an object with numbers as names. */
const lonePart = part.refine((given) => !Object.hasOwn(given, '0'), 'must be a part');
const instruction = z
  .union(
    [text, z.looseObject({ role: text.nullish(), parts: z.union([parts, lonePart]) })],
    'must be a content of text parts',
  )
  .nullish();
const generationConfig = native({
  temperature: number.min(0, 'must be from 0 to 2').max(2, 'must be from 0 to 2').nullish(),
  maxOutputTokens: number
    .refine(Number.isInteger, 'must be an integer')
    .min(1, 'must be at least 1')
    .meta({ type: 'integer' })
    .nullish(),
  // Every candidate but the first would be paid for and lost.
  candidateCount: z.literal(1, 'must be 1').nullish(),
}).nullish();

/**
 * The members of a compat path B body that the gateway checks (specification, "Endpoints"), in either spelling. All others go
 * to the upstream unchecked (B-92).
 */
export const bodySchema: z.ZodType<JsonObject> = native({
  contents: filledListOf(content, 'must be an array of contents'),
  systemInstruction: instruction,
  generationConfig,
  tools: listOf(anyObject.nonoptional(), 'must be an array of tools').nullish(),
  toolConfig: anyObject,
  safetySettings: z.array(z.unknown(), 'must be an array').nullish(),
});
