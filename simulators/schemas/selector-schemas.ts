import { z } from 'zod';
import type { Selectors } from '../control/matching.ts';
import { keysSelected } from '../requests/selectors.ts';

const text = z.string().min(1).max(4096);

/** Keys need a minimum length, because a short key would be redacted all over the output. */
export const keySelector = z
  .string()
  .min(8, 'a key has at least 8 characters')
  .max(4096)
  .refine((key) => key.isWellFormed(), 'half of a surrogate pair is in no key');

export const headerSelector = z
  .strictObject({ name: text, value: text.exactOptional() })
  .superRefine((header, context) => {
    const [key] = keysSelected({ header });
    for (const { message } of key === undefined ? [] : (keySelector.safeParse(key).error?.issues ?? [])) {
      context.addIssue({ code: 'custom', path: ['value'], message });
    }
  });

export const selectorMembers = {
  channel: text.exactOptional(),
  model: text.exactOptional(),
  key: keySelector.exactOptional(),
  path: text.exactOptional(),
  marker: text.exactOptional(),
  header: headerSelector.exactOptional(),
};

/** Selectors. Unknown members are rejected. An empty selector accepts every request. */
export const selectorsSchema: z.ZodType<Selectors> = z.strictObject(selectorMembers);
