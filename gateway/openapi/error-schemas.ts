import { z } from 'zod';
import { ERROR_TABLE, ERROR_TYPES, type ErrorCode } from '../errors/codes.ts';

// Object.keys forgets which keys there are.
const CODES = Object.keys(ERROR_TABLE) as ErrorCode[];

const error = z.strictObject({
  type: z.enum(ERROR_TYPES),
  code: z.enum(CODES),
  message: z.string(),
  channel: z.string().nullable().describe('The upstream channel that failed, by its public id.'),
  param: z.string().nullable().describe('The field at fault, as a bracket path.'),
});

/** The error bodies: one shape, to which the compat paths add what their clients look for (B-90). */
export const errorSchemas = {
  Error: z.strictObject({ error }),
  MessagesError: z.strictObject({ type: z.literal('error'), error }),
  GenerateContentError: z.strictObject({
    error: error.extend({ status: z.string().describe('The canonical name of the status.') }),
  }),
} as const satisfies Record<string, z.ZodType>;

export type ErrorShape = keyof typeof errorSchemas;
