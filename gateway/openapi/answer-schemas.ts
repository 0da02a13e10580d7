import { z } from 'zod';

// Answers of the business paths.

const count = z.int().min(0);
const role = z.literal('assistant');
const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;

const extraContent = z
  .strictObject({ thought_signature: z.string() })
  .optional()
  .describe('Must come back with the call.');
const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string(),
    arguments: z.string().describe('JSON as the model wrote it.'),
  }),
  extra_content: extraContent,
});
const toolFragment = z.strictObject({
  index: count,
  id: z.string().optional(),
  type: z.literal('function').optional(),
  function: z.strictObject({ name: z.string().optional(), arguments: z.string() }),
  extra_content: extraContent,
});
const usage = z.strictObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.strictObject({ cached_tokens: count, cache_write_tokens: count }),
});
const head = {
  id: z.string(),
  created: z.int().describe('Unix seconds.'),
  model: z.string().describe('The model that answered.'),
};

/** The non-streamed answer of the core path. */
export const chatCompletion = z.strictObject({
  ...head,
  object: z.literal('chat.completion'),
  choices: z
    .array(
      z.strictObject({
        index: count,
        message: z.strictObject({
          role,
          content: z.string().nullable(),
          tool_calls: z.array(toolCall).optional(),
        }),
        finish_reason: z.enum(finishReasons),
      }),
    )
    .min(1),
  usage,
});

/** The data of a stream event on the core path. */
export const chatCompletionChunk = z.strictObject({
  ...head,
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.strictObject({
      index: count,
      delta: z.strictObject({
        role: role.optional(),
        content: z.string().optional(),
        tool_calls: z.array(toolFragment).optional(),
      }),
      finish_reason: z.enum(finishReasons).nullable(),
    }),
  ),
  usage: usage.optional(),
});

/** The non-streamed answer of compat path A; an upstream of the protocol may add members. */
export const message = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role,
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    cache_creation: z.looseObject({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
  }),
});

export const messageEvent = z.looseObject({ type: z.string() });

/**
 * The non-streamed answer of compat path B, and the data of its stream's events; an upstream of the protocol may
 * add members.
 */
export const generatedContent = z.looseObject({
  candidates: z.array(
    z.looseObject({
      content: z.looseObject({ role: z.literal('model'), parts: z.array(z.looseObject({})) }),
      index: count,
      finishReason: z.string().optional(),
    }),
  ),
  usageMetadata: z
    .looseObject({
      promptTokenCount: count.optional(),
      candidatesTokenCount: count.optional(),
      totalTokenCount: count.optional(),
      cachedContentTokenCount: count.optional(),
    })
    .optional(),
  modelVersion: z.string(),
  responseId: z.string(),
});

export const modelList = z.strictObject({
  object: z.literal('list'),
  data: z.array(
    z.strictObject({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() }),
  ),
});

/** The document itself. */
export const openApi = z.looseObject({ openapi: z.string() });

/** The state of its account that a key can read. */
export const balanceSchema = z.object({
  balance: z.string().meta({ description: 'Credits left, in dollars; calls under way are not taken off.' }),
  tokens_used: z.int().min(0).meta({ description: 'Tokens of this calendar month (UTC).' }),
  monthly_tokens: z.int().min(0).nullable().meta({ description: 'How many there may be; null: no bound.' }),
});
