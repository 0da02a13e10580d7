import { z } from 'zod';

/** A readable schema that stands in for a hand-written check in the interface document. */
export interface Readable {
  readonly as: z.ZodType;
  /** The document defines the schema once, under this name: needed for recursive schemas. */
  readonly name: string | null;
}

/** Entries also apply to schemas derived from the registered one. */
const readables = z.registry<{ readonly as: unknown; readonly name: string | null }>();

/** Registers a schema that describes a hand-checked one, which does not change. */
export function handChecked<Schema extends z.ZodType>(
  schema: Schema,
  as: z.ZodType,
  name: string | null = null,
): Schema {
  readables.add(schema, { as, name });
  return schema;
}

/** The entry of a schema, or of the one it derives from; null for a schema that describes itself. */
export function readableOf(schema: z.core.$ZodType): Readable | null {
  const { as, name = null } = readables.get(schema) ?? {};
  return as instanceof z.ZodType ? { as, name } : null;
}
