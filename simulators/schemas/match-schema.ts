import { z } from 'zod';
import { dialectNames } from '../answers/native-answer.ts';
import type { Match, TextMatch } from '../control/matching.ts';
import { inPlainWords, passIssues } from '../json/issue.ts';
import { selectorMembers } from './selector-schemas.ts';

const text = z.string().min(1).max(65_536);

/** Not a union, because its errors would not name the invalid member. */
const textMatch = z
  .custom<TextMatch>()
  .superRefine((given, context) => {
    const schema = textSchemaOf(given);
    if (schema === null)
      context.addIssue({ code: 'custom', message: 'expected a text, { exact: … } or { pattern: … }' });
    else passIssues(schema.safeParse(given, inPlainWords), context);
  })
  .meta({
    anyOf: [
      { type: 'string' },
      { type: 'object', properties: { exact: { type: 'string' } }, required: ['exact'] },
      { type: 'object', properties: { pattern: { type: 'string' } }, required: ['pattern'] },
    ],
  });

function textSchemaOf(given: unknown): z.ZodType | null {
  if (typeof given === 'string') return text;
  if ('exact' in Object(given)) return exact;
  return 'pattern' in Object(given) ? pattern : null;
}

const exact = z.strictObject({ exact: z.string() });

const pattern = z
  .strictObject({
    pattern: text,
    flags: z
      .string()
      .regex(/^[imsuy]*$/)
      .exactOptional(),
  })
  .superRefine(({ pattern: source, flags = 'u' }, context) => {
    try {
      new RegExp(source, flags);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        path: ['pattern'],
        message: error instanceof Error ? error.message : 'not valid',
      });
    }
  });

/** A match. Unknown members are rejected. An empty match accepts every model call. */
export const matchSchema: z.ZodType<Match> = z.strictObject({
  ...selectorMembers,
  dialect: z.enum(dialectNames).exactOptional(),
  stream: z.boolean().exactOptional(),
  role: z.enum(['system', 'user', 'assistant', 'tool']).exactOptional(),
  text: textMatch.exactOptional(),
  system: textMatch.exactOptional(),
  tools: z
    .union([z.boolean(), z.array(text).min(1)], { error: 'expected names of tools, true or false' })
    .exactOptional(),
  tool_result: z
    .union([z.boolean(), text], { error: 'expected the name of a tool, true or false' })
    .exactOptional(),
  turn: z.int().min(1).exactOptional(),
});
