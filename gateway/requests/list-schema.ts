import { z } from 'zod';
import { handChecked } from './hand-checked.ts';

/**
 * A list, checked up to its first invalid element: only that one is reported. A body's lists may hold more errors
 * than can be collected.
 */
export function listOf<T>(element: z.ZodType<T>, rule: string): z.ZodType<T[]> {
  const list = z.custom<T[]>(Array.isArray, rule).superRefine((list, context) => {
    for (const [i, one] of list.entries()) {
      const { error } = element.safeParse(one);
      if (error === undefined) continue;
      for (const issue of error.issues) context.addIssue({ ...issue, path: [i, ...issue.path] });
      return;
    }
  });
  return handChecked(list, z.array(element));
}

/** The same for a list that must not be empty. */
export function filledListOf<T>(element: z.ZodType<T>, rule = 'must be an array'): z.ZodType<T[]> {
  return listOf(element, rule)
    .refine(({ length }) => length > 0, 'must not be empty')
    .meta({ minItems: 1 });
}
