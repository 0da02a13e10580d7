import { z } from 'zod';

/** A schema that can be read, of what one takes that checks by hand; for the document of the interface. */
export interface Readable {
  readonly as: z.ZodType;
  /** The document describes it once, under this name: needed for what can stand inside of itself. */
  readonly name: string | null;
}

/** What is kept for schemas made from one, too. */
const readables = z.registry<{ readonly as: unknown; readonly name: string | null }>();

/** Says what a schema takes that checks by hand; the schema stays as it is. */
export function handChecked<Schema extends z.ZodType>(
  schema: Schema,
  as: z.ZodType,
  name: string | null = null,
): Schema {
  readables.add(schema, { as, name });
  return schema;
}

/** What was said of a schema, or of the one that it was made from; null for one that can be read itself. */
export function readableOf(schema: z.core.$ZodType): Readable | null {
  const { as, name = null } = readables.get(schema) ?? {};
  return as instanceof z.ZodType ? { as, name } : null;
}
