import { z } from 'zod';
import { isObject, type JsonObject } from '../http/parse-json.ts';
import { type CacheHintSchema, honouredHint, ignoredHint } from './cache-hint.ts';
import { filledListOf, listOf } from './list-schema.ts';
import { messageSchema, plainMessage } from './message-schema.ts';

const text = z.string('must be a string');
const flag = z.boolean('must be true or false');
const number = z.number('must be a number');
const integer = number.refine(Number.isInteger, 'must be an integer').meta({ type: 'integer' });
/** Any JSON object, taken unchanged. */
const anyObject = z.custom<JsonObject>(isObject, 'must be an object').meta({ type: 'object' });

const maxStops = 4;
const maxTags = 16;
const maxTagLength = 64;
export const functionName = /^[A-Za-z0-9_-]{1,64}$/;
const nameRule = 'must be 1 to 64 letters, digits, underscores or dashes';
const int64 = 2 ** 63;

const stop = text.min(1, 'must not be empty');
const functionDefinition = z.strictObject(
  {
    name: text.regex(functionName, nameRule),
    description: text.nullish(),
    parameters: anyObject.nullish(),
    strict: flag.nullish(),
  },
  'must be an object',
);
const toolChoiceRule = 'must be none, auto, required, or an object that names a function';
const namedTool = z.strictObject({
  type: z.literal('function', 'must be function'),
  function: z.strictObject({ name: text.min(1, 'must not be empty') }, 'must be an object'),
});
const responseFormat = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({ type: z.literal('json_object') }),
    z.strictObject({
      type: z.literal('json_schema'),
      json_schema: z.strictObject(
        {
          name: text.regex(functionName, nameRule),
          description: text.nullish(),
          schema: anyObject.nullish(),
          strict: flag.nullish(),
        },
        'must be an object',
      ),
    }),
  ],
  {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'must be text, json_object or json_schema' : 'must be an object',
  },
);
const metadata = anyObject
  .refine((tags) => Object.keys(tags).length <= maxTags, `must have at most ${maxTags} keys`)
  .refine(
    (tags) => Object.entries(tags).flat().every(isTagText),
    `must hold only texts, keys and values of at most ${maxTagLength} characters`,
  )
  .meta({
    maxProperties: maxTags,
    propertyNames: { maxLength: maxTagLength },
    additionalProperties: { type: 'string', maxLength: maxTagLength },
  });

/**
 * The chat request (specification, "Chat request"). `model` has been looked up before. The names after `metadata`
 * are not in the specification's table: they are extras of the common schema without effect (B-11).
 */
function makeChatSchema(hint: CacheHintSchema, takesSystemBlocks: boolean) {
  const message = messageSchema(hint, takesSystemBlocks);
  const toolDefinition = z.strictObject(
    {
      type: z.literal('function', 'must be function'),
      function: functionDefinition,
      cache_control: hint.optional(),
    },
    'must be an object',
  );
  return z.strictObject({
    model: text,
    messages: filledListOf(message, 'must be an array of messages', plainMessage),
    temperature: number.min(0, 'must be from 0 to 2').max(2, 'must be from 0 to 2').nullish(),
    top_p: number.min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1').nullish(),
    max_tokens: integer.min(1, 'must be at least 1').nullish(),
    stream: flag.nullish(),
    tools: listOf(toolDefinition, 'must be an array of tools').nullish(),
    tool_choice: z.union([z.enum(['none', 'auto', 'required']), namedTool], toolChoiceRule).nullish(),
    response_format: responseFormat.nullish(),
    stop: z
      .union(
        [stop, z.array(stop).max(maxStops, `must have at most ${maxStops} entries`)],
        `must be a string or an array of up to ${maxStops} strings, none of them empty`,
      )
      .nullish(),
    seed: integer.min(-int64, 'must fit 64 bits').max(int64, 'must fit 64 bits').nullish(),
    user: text.nullish(),
    metadata: metadata.nullish(),
    n: z.literal(1, 'must be 1').nullish(),
    parallel_tool_calls: flag.nullish(),
    frequency_penalty: z.literal(0, 'must be 0').nullish(),
    presence_penalty: z.literal(0, 'must be 0').nullish(),
    logprobs: z.literal(false, 'must be false').nullish(),
    stream_options: z
      .strictObject(
        { include_usage: flag.nullish(), include_obfuscation: flag.nullish() },
        'must be an object',
      )
      .nullish(),
  });
}

/** For models that honour cache hints; their system messages may be blocks, to carry hints. */
const hinted = makeChatSchema(honouredHint, true);
const unhinted = makeChatSchema(ignoredHint, false);

/** The schema of a chat request for a model. */
export function chatSchema({ cache }: { readonly cache: boolean }): typeof hinted {
  return cache ? hinted : unhinted;
}

export type ChatFields = z.infer<typeof hinted>;

/** Characters are code points, not bytes and not UTF-16 units (B-18). */
function isTagText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 2 * maxTagLength && [...value].length <= maxTagLength;
}
