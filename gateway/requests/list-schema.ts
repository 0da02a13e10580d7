import { z } from 'zod';
import { handChecked } from './hand-checked.ts';

/** A fast path for the most frequent form of an element: returns what its schema would return; null for any other value. */
export type Shortcut<T> = (given: unknown) => T | null;

/**
 * A list of elements as their schema parses them, up to the first invalid one: only that is reported. A body's lists
 * may hold more errors than can be collected.
 */
export function listOf<T>(
  element: z.ZodType<T>,
  rule: string,
  shortcut: Shortcut<T> = () => null,
): z.ZodType<T[]> {
  const list = z.custom<unknown[]>(Array.isArray, rule).transform((given, context): T[] => {
    const taken: T[] = [];
    for (const [i, one] of given.entries()) {
      const plain = shortcut(one);
      if (plain !== null) {
        taken.push(plain);
        continue;
      }
      const { error, data } = element.safeParse(one);
      if (error !== undefined) {
        for (const issue of error.issues) context.addIssue({ ...issue, path: [i, ...issue.path] });
        return z.NEVER;
      }
      taken.push(data);
    }
    return taken;
  });
  return handChecked(list, z.array(element));
}

/** Like `listOf`, but not empty. */
export function filledListOf<T>(
  element: z.ZodType<T>,
  rule = 'must be an array',
  shortcut?: Shortcut<T>,
): z.ZodType<T[]> {
  return listOf(element, rule, shortcut)
    .refine(({ length }) => length > 0, 'must not be empty')
    .meta({ minItems: 1 });
}
