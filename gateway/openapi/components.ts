import { z } from 'zod';
import { readableOf } from '../requests/hand-checked.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Whether a schema describes its input or its output. */
export type Direction = 'input' | 'output';

/** Writes schemas for a document. A named schema is written once and then referenced. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** All named schemas, sorted by name. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** A reference to the schema by name. */
  named(name: string, schema: z.ZodType, direction: Direction): JsonSchema {
    if (!this.#schemas.has(name)) {
      // Registered before it is written, because it may contain itself.
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
