import { z } from 'zod';
import { replySchema } from './reply-schema.ts';

/** A JSON Schema of a value that a caller may send (`input`) or reads (`output`), with the short forms of a reply. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, {
    ...{ io, unrepresentable: 'any', reused: 'inline' },
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) !== replySchema) return;
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
    },
  });
  return rest;
}
