import { z } from 'zod';
import { handChecked } from '../hand-checked.ts';

/**
 * A list, checked as far as its first faulty element: the only one that is reported. Lists of a body may hold more
 * faults than can be collected.
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
