import { z } from 'zod';
import { servedByAssistant, servedByUser, serverToolType } from './server-tools.ts';

/**
 * The native request, member by member. It is strict everywhere: this upstream rejects unknown members. `rules.ts` has the
 * rules that involve several members.
 */
export type MessagesRequest = z.infer<typeof messagesSchema>;
/** A request to count tokens: without the members that concern only the answer. */
export type CountRequest = z.infer<typeof countSchema>;
export type Turn = CountRequest['messages'][number];
export type Block = Exclude<Turn['content'], string>[number];
/** The content of a tool result. */
export type InnerBlock = Exclude<NonNullable<z.infer<typeof toolResult>['content']>, string>[number];
export type CacheControl = z.infer<typeof cacheControl>;
export type NativeTool = NonNullable<CountRequest['tools']>[number];
/** A tool that the caller runs. Answers here call only such tools. */
export type CustomTool = z.infer<typeof customTool>;

export function isCustomTool(tool: NativeTool): tool is CustomTool {
  return 'input_schema' in tool && (tool.type ?? 'custom') === 'custom';
}

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

/** An object whose members only the provider evaluates. */
const open = z.looseObject({});

const blank = 'text must be more than white space';

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/, blank),
  citations: z.array(z.unknown()).nullish(),
  ...marked,
});

/** A file that was uploaded to the provider before. Every id is valid here. */
const file = z.strictObject({ type: z.literal('file'), file_id: z.string() });

const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    base64(z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])),
    url,
    file,
  ]),
  transformations: open.nullish(),
  ...marked,
});

const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    base64(z.literal('application/pdf')),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    z.strictObject({
      type: z.literal('content'),
      content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))]),
    }),
    url,
    file,
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.boolean().exactOptional() }).nullish(),
  ...marked,
});

const searchResult = z.strictObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(text),
  citations: z.strictObject({ enabled: z.boolean().exactOptional() }).nullish(),
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
  caller: open.exactOptional(),
  toolset_name: z.string().nullish(),
  ...marked,
});

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: toolId,
  content: z
    .union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [
          text,
          image,
          document,
          searchResult,
          z.looseObject({ type: z.enum(['tool_reference', 'browser_state']), ...marked }),
        ]),
      ),
    ])
    .exactOptional(),
  is_error: z.boolean().exactOptional(),
  toolset_name: z.string().nullish(),
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

/** Blocks of tools that the provider runs. They are accepted unchecked, because no such tool runs here. */
const served = z.looseObject({ type: z.enum([...servedByAssistant, ...servedByUser]), ...marked });

const block = z.discriminatedUnion('type', [
  served,
  searchResult,
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

/** A tool that the caller runs. */
const customTool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: toolName,
  description: z.string().exactOptional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().exactOptional(),
  defer_loading: z.boolean().exactOptional(),
  eager_input_streaming: z.boolean().nullish(),
  input_examples: z.array(open).exactOptional(),
  allowed_callers: z.array(z.string()).exactOptional(),
  ...marked,
});

/** A provider-run tool in a dated version. Its other members are accepted unchecked. */
const serverTool = z.looseObject({
  type: z.string().regex(serverToolType),
  name: toolName.exactOptional(),
  ...marked,
});

const tool = z.union([customTool, serverTool]);

const parallel = { disable_parallel_tool_use: z.boolean().exactOptional() };

const ofTurns = { clear_at: z.string().nullish(), output_config: open.nullish() };
const content = z.union([z.string(), z.array(block)]);
const turn = z.strictObject({ role: z.enum(['user', 'assistant', 'system']), content, ...ofTurns });

/** Since the current version, instructions between turns have content of their own, or none beside a configuration. */
const currentTurn = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['user', 'assistant']), content, ...ofTurns }),
  z.strictObject({
    role: z.literal('system'),
    content: z
      .union([
        z.string(),
        z.array(
          z.discriminatedUnion('type', [
            text,
            z.looseObject({ type: z.enum(['tool_addition', 'tool_removal']), ...marked }),
          ]),
        ),
      ])
      .default(''),
    ...ofTurns,
  }),
]);

const prompt = {
  model: z.string().min(1),
  messages: z.array(turn).min(1),
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
  // Stands for a hint at the end of the prompt.
  ...marked,
  speed: z.enum(['standard', 'fast']).nullish(),
};

const jsonFormat = z.strictObject({
  type: z.literal('json_schema'),
  schema: z.record(z.string(), z.unknown()),
});

/** The requested format of the answer: JSON that fits a schema. */
const outputConfig = z.strictObject({
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  format: jsonFormat.nullish(),
  task_budget: open.nullish(),
});

const output = { output_config: outputConfig.exactOptional() };

/** Members behind a beta; `betas.ts` knows which one the request has to declare. */
const ofBetas = {
  compaction: open.nullish(),
  context_management: open.nullish(),
  mcp_servers: z
    .array(z.looseObject({ type: z.literal('url'), url: z.string(), name: z.string() }))
    .exactOptional(),
  output_format: jsonFormat.nullish(),
};

export const countSchema = z.strictObject({ ...prompt, ...output, ...ofBetas });

/** The differences of the current version, for both kinds of requests. */
const ofCurrent = {
  messages: z.array(currentTurn).min(1),
  billing_policy: open.nullish(),
  thread: open.nullish(),
};

export const currentCountSchema = z.strictObject({ ...prompt, ...output, ...ofBetas, ...ofCurrent });

const whole = {
  ...prompt,
  ...output,
  ...ofBetas,
  fallbacks: z.unknown().exactOptional(),
  fallback_credit_token: z.unknown().exactOptional(),
  container: z.union([z.string(), open]).nullish(),
  diagnostics: open.nullish(),
  inference_geo: z.string().nullish(),
  max_tokens: z.int().min(1),
  stop_sequences: z.array(z.string().regex(/\S/, blank)).exactOptional(),
  stream: z.boolean().exactOptional(),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).exactOptional(),
  service_tier: z.enum(['auto', 'standard_only']).exactOptional(),
};

/** The version 2023-06-01. */
export const messagesSchema = z.strictObject({
  ...whole,
  temperature: z.number().min(0).max(1).exactOptional(),
  top_p: z.number().min(0).max(1).exactOptional(),
  top_k: z.int().min(0).exactOptional(),
});

/** Requests of the version 2026-10-21, whose models choose the sampling themselves. */
export const currentMessagesSchema = z.strictObject({ ...whole, ...ofCurrent });
