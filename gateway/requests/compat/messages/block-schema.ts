import { z } from 'zod';
import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { handChecked } from '../../hand-checked.ts';
import { listOf } from '../../list-schema.ts';

/** A block with the members that its type requires. */
export type Block = JsonObject & { readonly type: string };

const text = z.string('must be a string');
const filled = text.min(1, 'must not be empty');
const anyObject = z.custom<JsonObject>(isObject, 'must be an object').meta({ type: 'object' });
const contentRule = 'must be a string or an array of content blocks';

/** Checks a value by the schema chosen for it, one of the union `as`; the value does not change. */
export function chosen<T>(
  choose: (value: unknown) => z.ZodType,
  as: z.ZodType,
  name: string | null = null,
): z.ZodType<T> {
  const checked = z.custom<T>().superRefine((value, context) => {
    for (const issue of choose(value).safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
  });
  return handChecked(checked, as, name);
}

/** Chooses a schema by the type of an object, or the one for all other types. */
function byType<T>(
  schemas: Readonly<Record<string, z.ZodObject>>,
  other: z.ZodObject,
  name: string | null = null,
): z.ZodType<T> {
  const named = Object.entries(schemas).map(([type, schema]) => schema.extend({ type: z.literal(type) }));
  const unnamed = other.extend({ type: text.meta({ not: { enum: Object.keys(schemas) } }) });
  return chosen(
    (value) => {
      const type = isObject(value) ? value.type : null;
      return typeof type === 'string' && Object.hasOwn(schemas, type) ? (schemas[type] ?? other) : other;
    },
    z.union([...named, unnamed]),
    name,
  );
}

const other = z.looseObject({ type: text, cache_control: anyObject.nullish() }, 'must be an object');

// The blocks of a result are inside a block themselves.
const content = z.lazy(() => z.union([text, blocks], contentRule));

const source = byType(
  {
    base64: z.looseObject({ media_type: text, data: text }),
    url: z.looseObject({ url: text }),
    file: z.looseObject({ file_id: text }),
    text: z.looseObject({ data: text }),
    content: z.looseObject({ content }),
  },
  z.looseObject({ type: text }, 'must be an object'),
);
const medium = other.extend({ source });
const textBlock = other.extend({ text });

const block: z.ZodType<Block> = byType(
  {
    text: textBlock,
    image: medium,
    document: medium,
    video: medium,
    audio: medium,
    tool_use: other.extend({ id: filled, name: filled, input: anyObject }),
    tool_result: other.extend({
      tool_use_id: filled,
      content: content.nullish(),
      is_error: z.boolean('must be true or false').nullish(),
    }),
  },
  other,
  'MessagesBlock',
);

/** The content of a turn in blocks. An unknown kind needs only a type. */
export const blocks = listOf(block, contentRule);

/** The content of a system prompt in blocks. */
export const textBlocks = listOf(
  textBlock.extend({ type: z.literal('text', 'must be text') }),
  'must be an array of text blocks',
);
