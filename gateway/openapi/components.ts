import { z } from 'zod';
import { readableOf } from '../requests/hand-checked.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Whether a schema is described as what is sent to it, or as what comes out of it. */
export type Direction = 'input' | 'output';

/** Writes schemas for a document. What has a name is written once, and referred to. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** All that has a name, in the order of the names. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** A reference to the schema under its name. */
  named(name: string, schema: z.ZodType, direction: Direction): JsonSchema {
    if (!this.#schemas.has(name)) {
      // Known before it is written: it may hold itself.
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.write(schema, direction));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  write(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const readable = readableOf(zodSchema);
        if (readable === null) return;
        const { as, name } = readable;
        Object.assign(
          jsonSchema,
          name === null ? this.write(as, direction) : this.named(name, as, direction),
        );
      },
    });
    return written;
  }
}
