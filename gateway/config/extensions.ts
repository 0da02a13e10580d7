import { z } from 'zod';

/** What goes beyond the specification, by name. */
export const extensionNames = [
  'max_completion_tokens',
  'developer_role',
  'models_retrieve',
  'count_tokens',
  'reasoning_tokens',
] as const;

/** What of it is switched on. */
export const extensions = z.array(
  z.enum(extensionNames, `must be one of ${extensionNames.join(', ')}`),
  'must be a list',
);
