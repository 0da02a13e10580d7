import { z } from 'zod';

/** The names of the extensions to the specification. */
export const extensionNames = [
  'max_completion_tokens',
  'developer_role',
  'models_retrieve',
  'count_tokens',
  'reasoning_tokens',
] as const;

/** The extensions that are switched on. */
export const extensions = z.array(
  z.enum(extensionNames, `must be one of ${extensionNames.join(', ')}`),
  'must be a list',
);
