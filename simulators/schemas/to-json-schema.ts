import { z } from 'zod';
import { replySchema } from './reply-schema.ts';
import { scriptSchema } from './script-schema.ts';

/** A JSON Schema of a value that a caller may send (`input`) or reads (`output`), with the short forms of replies. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, {
    ...{ io, unrepresentable: 'any', reused: 'inline' },
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === replySchema) allowShortReply(jsonSchema);
      if (io === 'input' && (zodSchema as unknown) === scriptSchema) allowOneReply(jsonSchema);
    },
  });
  return rest;
}

function allowShortReply(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const full = { ...jsonSchema };
  for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
  jsonSchema.anyOf = [
    { type: 'string', description: 'What the model says.' },
    {
      type: 'integer',
      minimum: 200,
      maximum: 599,
      description: 'A status; from 400 on with the body of the dialect.',
    },
    full,
  ];
}

/** A script has either `replies` or, for a single one, `reply`. */
function allowOneReply(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const replies = jsonSchema.properties?.replies;
  if (typeof replies !== 'object' || typeof replies.items !== 'object' || Array.isArray(replies.items))
    return;
  jsonSchema.properties = { ...jsonSchema.properties, reply: replies.items };
  jsonSchema.oneOf = ['reply', 'replies'].map((name) => ({ required: [name] }));
  delete jsonSchema.required;
}
