import { z } from 'zod';
import { type ErrorCode, errorTable, errorTypes } from '../errors/codes.ts';

// TypeScript types Object.keys as plain strings.
const codes = Object.keys(errorTable) as ErrorCode[];

const error = z.strictObject({
  type: z.enum(errorTypes),
  code: z.enum(codes),
  message: z.string(),
  channel: z.string().nullable().describe('The upstream channel that failed, by its public id.'),
  param: z.string().nullable().describe('The field at fault, as a bracket path.'),
});

/** The error bodies: one shape, to which the compat paths add what their clients expect (B-90). */
export const errorSchemas = {
  Error: z.strictObject({ error }),
  MessagesError: z.strictObject({ type: z.literal('error'), error }),
  GenerateContentError: z.strictObject({
    error: error.extend({ status: z.string().describe('The canonical name of the status.') }),
  }),
} as const satisfies Record<string, z.ZodType>;

export type ErrorShape = keyof typeof errorSchemas;
