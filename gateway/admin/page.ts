import { z } from 'zod';

const maxRows = 500;
const usualRows = 100;

const rowLimit = z
  .string()
  .regex(/^\d{1,3}$/, `must be a whole number from 1 to ${maxRows}`)
  .transform(Number)
  .refine((rows) => rows >= 1 && rows <= maxRows, `must be a whole number from 1 to ${maxRows}`)
  .default(usualRows);

const cursor = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be the next of an earlier answer');

/** The part of a query that selects rows of a list. */
export const pageQuery = z.strictObject({ limit: rowLimit, after: cursor.optional() });
export type PageQuery = z.infer<typeof pageQuery>;

export interface Page<View> {
  readonly data: readonly View[];
  /** The value for `after` on the next page; null on the last. */
  readonly next: string | null;
}

/** The schema of a page. */
export function pageView<View extends z.ZodType>(view: View) {
  return z.strictObject({ data: z.array(view), next: z.string().nullable() });
}

/** Makes a page from rows. The caller reads one row more than `limit`, to see whether more exist. */
export function pageOf<Row, View>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
  viewOf: (row: Row) => View,
): Page<View> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(viewOf),
    next: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}

/** A page in id order; `rowsFrom` reads rows after an id, up to a maximum. */
export async function pageById<Row extends { readonly id: string }, View>(
  { after = '', limit }: PageQuery,
  rowsFrom: (after: string, limit: number) => Promise<readonly Row[]>,
  viewOf: (row: Row) => View,
): Promise<Page<View>> {
  return pageOf(await rowsFrom(after, limit + 1), limit, ({ id }) => id, viewOf);
}
