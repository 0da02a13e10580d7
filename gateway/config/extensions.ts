import { z } from 'zod';

/** What goes beyond the specification, each switched on by its name. */
export const extensions = z.array(
  z.enum(
    ['max_completion_tokens', 'developer_role', 'models_retrieve'],
    'must be max_completion_tokens, developer_role or models_retrieve',
  ),
  'must be a list',
);
