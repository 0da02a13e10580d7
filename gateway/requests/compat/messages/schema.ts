import { z } from 'zod';
import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { filledListOf, listOf } from '../../list-schema.ts';
import { blocks, chosen, textBlocks } from './block-schema.ts';

const text = z.string('must be a string');
const filled = text.min(1, 'must not be empty');
const flag = z.boolean('must be true or false');
const number = z.number('must be a number');
const anyObject = z.custom<JsonObject>(isObject, 'must be an object').meta({ type: 'object' });
const whole = { type: 'integer' } as const;
const contentRule = 'must be a string or an array of content blocks';

const turn = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.literal('user'), content: z.union([text, blocks], contentRule) }),
    z.looseObject({ role: z.literal('assistant'), content: z.union([text, blocks], contentRule) }),
    // Accepted in addition to the system field (B-93).
    z.looseObject({
      role: z.literal('system'),
      content: z.union([text, textBlocks], 'must be a string or an array of text blocks'),
    }),
  ],
  {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'must be one of user, assistant, system' : 'must be an object',
  },
);

const customTool = z.looseObject(
  {
    type: text.nullish(),
    name: filled,
    description: text.nullish(),
    input_schema: anyObject,
    cache_control: anyObject.nullish(),
  },
  'must be an object',
);
/** The type of a tool that the upstream runs itself identifies the tool. */
const serverTool = z.looseObject({ type: text });
const tool = chosen<JsonObject>(
  (value) => (isCustomTool(value) ? customTool : serverTool),
  z.union([
    customTool.extend({ type: z.literal('custom').nullish() }),
    serverTool.extend({ type: text.meta({ not: { const: 'custom' } }) }),
  ]),
);

/** Whether the caller runs the tool; also true for a value that is not a tool. */
export function isCustomTool(tool: unknown): boolean {
  return !isObject(tool) || tool.type == null || tool.type === 'custom';
}

const toolChoice = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('auto'), disable_parallel_tool_use: flag.nullish() }),
    z.looseObject({ type: z.literal('any'), disable_parallel_tool_use: flag.nullish() }),
    z.looseObject({ type: z.literal('tool'), name: filled, disable_parallel_tool_use: flag.nullish() }),
    z.looseObject({ type: z.literal('none') }),
  ],
  {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'must be one of auto, any, tool, none' : 'must be an object',
  },
);

/**
 * The body of the messages protocol, as far as the gateway reads it (specification, "Endpoints"). Unknown fields
 * and kinds of blocks go to the upstream unchecked (B-92).
 */
export const messagesSchema = z.looseObject({
  model: text,
  messages: filledListOf(turn, 'must be an array of messages'),
  max_tokens: number.refine(Number.isInteger, 'must be an integer').min(1, 'must be at least 1').meta(whole),
  system: z.union([text, textBlocks], 'must be a string or an array of text blocks').nullish(),
  temperature: number.min(0, 'must be from 0 to 2').max(2, 'must be from 0 to 2').nullish(),
  top_p: number.min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1').nullish(),
  top_k: number.nullish(),
  stop_sequences: listOf(text, 'must be an array of strings').nullish(),
  stream: flag.nullish(),
  tools: listOf(tool, 'must be an array of tools').nullish(),
  tool_choice: toolChoice.nullish(),
  metadata: z.looseObject({ user_id: text.nullish() }, 'must be an object').nullish(),
  thinking: anyObject.nullish(),
  cache_control: anyObject.nullish(),
});

export type MessagesFields = z.infer<typeof messagesSchema>;
export type ToolChoice = z.infer<typeof toolChoice>;
