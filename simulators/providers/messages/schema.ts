import { z } from 'zod';

/**
 * The native request, member by member. It is strict everywhere: this upstream refuses unknown members.
 * `rules.ts` has the rules that involve several members.
 */
export type MessagesRequest = z.infer<typeof messagesSchema>;
/** A request to count tokens: without the members that concern only the answer. */
export type CountRequest = z.infer<typeof countSchema>;
export type Turn = CountRequest['messages'][number];
export type Block = Exclude<Turn['content'], string>[number];
export type CacheControl = z.infer<typeof cacheControl>;
export type NativeTool = NonNullable<CountRequest['tools']>[number];

const cacheControl = z.strictObject({
  type: z.literal('ephemeral'),
  ttl: z.enum(['5m', '1h']).exactOptional(),
});
const marked = { cache_control: cacheControl.nullish() };

const url = z.strictObject({ type: z.literal('url'), url: z.string().regex(/^https?:\/\/./i) });

/** Bytes of these media types, as base64. */
function base64(mediaType: z.ZodType<string>) {
  return z.strictObject({
    type: z.literal('base64'),
    media_type: mediaType,
    data: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/),
  });
}

const blank = 'text must be more than white space';

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/, blank),
  citations: z.array(z.unknown()).nullish(),
  ...marked,
});

const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    base64(z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])),
    url,
  ]),
  ...marked,
});

const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    base64(z.literal('application/pdf')),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    url,
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.boolean() }).nullish(),
  ...marked,
});

/** An extension of this upstream: video and audio blocks in the shape of its image blocks. */
function extension<K extends 'video' | 'audio'>(kind: K) {
  const mediaType = z.string().regex(new RegExp(`^${kind}/[a-z0-9.+-]+$`));
  const source = z.discriminatedUnion('type', [base64(mediaType), url]);
  return z.strictObject({ type: z.literal(kind), source, ...marked });
}

const toolId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);

const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: toolId,
  name: toolName,
  input: z.record(z.string(), z.unknown()),
  ...marked,
});

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: toolId,
  content: z
    .union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document]))])
    .exactOptional(),
  is_error: z.boolean().exactOptional(),
  ...marked,
});

/** Thinking blocks of an earlier turn are sent back unchanged, so they cannot carry a cache hint. */
const unmarked = { cache_control: z.undefined().optional() };
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
  ...unmarked,
});
const redactedThinking = z.strictObject({
  type: z.literal('redacted_thinking'),
  data: z.string().min(1),
  ...unmarked,
});

const block = z.discriminatedUnion('type', [
  text,
  thinking,
  redactedThinking,
  image,
  document,
  extension('video'),
  extension('audio'),
  toolUse,
  toolResult,
]);

const tool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: toolName,
  description: z.string().exactOptional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  ...marked,
});

const parallel = { disable_parallel_tool_use: z.boolean().exactOptional() };

const prompt = {
  model: z.string().min(1),
  messages: z
    .array(
      z.strictObject({ role: z.enum(['user', 'assistant']), content: z.union([z.string(), z.array(block)]) }),
    )
    .min(1),
  system: z.union([z.string().regex(/^$|\S/, blank), z.array(text)]).exactOptional(),
  tools: z.array(tool).exactOptional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), ...parallel }),
      z.strictObject({ type: z.literal('any'), ...parallel }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .exactOptional(),
  thinking: z.looseObject({ type: z.string() }).exactOptional(),
};

/** The requested format of the answer: JSON that fits a schema. */
const outputConfig = z.strictObject({
  effort: z.enum(['low', 'medium', 'high']).nullish(),
  format: z
    .strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) })
    .nullish(),
});

const output = { output_config: outputConfig.exactOptional() };

export const countSchema = z.strictObject({ ...prompt, ...output });

export const messagesSchema = z.strictObject({
  ...prompt,
  ...output,
  max_tokens: z.int().min(1),
  temperature: z.number().min(0).max(1).exactOptional(),
  top_p: z.number().min(0).max(1).exactOptional(),
  top_k: z.int().min(0).exactOptional(),
  stop_sequences: z.array(z.string().regex(/\S/, blank)).exactOptional(),
  stream: z.boolean().exactOptional(),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).exactOptional(),
  service_tier: z.enum(['auto', 'standard_only']).exactOptional(),
});
