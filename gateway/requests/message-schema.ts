import { z } from 'zod';
import { isObject } from '../http/parse-json.ts';
import type { CacheHint, CacheHintSchema } from './cache-hint.ts';
import { filledListOf, listOf } from './list-schema.ts';
import { mediaKind } from './media-url.ts';

const text = z.string('must be a string');
const name = text.nullish();

const imageUrl = z.strictObject(
  {
    url: text.refine(
      (url) => mediaKind(url) !== null,
      'must be an http or https URL or a data URI of the form data:<mime>;base64,<data>',
    ),
    detail: z.enum(['auto', 'low', 'high'], 'must be auto, low or high').nullish(),
  },
  'must be an object',
);

// Some upstreams send this with their calls and need it back (our documented extension).
const extraContent = z.looseObject({ thought_signature: name }, 'must be an object').nullish();

const toolCall = z.strictObject(
  {
    id: text.min(1, 'must not be empty'),
    type: z.literal('function', 'must be function'),
    function: z.strictObject(
      // Helpers of the common client library add `parsed_arguments` to a call that they read.
      { name: text.min(1, 'must not be empty'), arguments: text, parsed_arguments: z.unknown().optional() },
      'must be an object',
    ),
    // Clients that assembled a stream send the index back.
    index: z.int('must be an integer').nullish(),
    extra_content: extraContent,
  },
  'must be an object',
);

const assistant = z.strictObject({
  role: z.literal('assistant'),
  content: z.union([text, z.null()], 'must be a string or null').optional(),
  tool_calls: listOf(toolCall, 'must be an array').nullish(),
  // Part of the common response message; clients send it back with the history.
  refusal: z.null('must be null').optional(),
  // Helpers of the common client library add this to an answer that they read.
  parsed: z.unknown().optional(),
  // When an agent loop sends a turn back, it moves this member from its first call to the turn.
  extra_content: extraContent,
  name,
});
const tool = z.strictObject({
  role: z.literal('tool'),
  content: text,
  tool_call_id: text.min(1, 'must not be empty'),
  name,
});

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly cache_control?: CacheHint | null | undefined;
}

/**
 * Earlier turns (specification, "Message roles"). The model decides the form of cache hints and system messages
 * (B-23, B-29).
 */
export function messageSchema(hint: CacheHintSchema, takesSystemBlocks: boolean) {
  const textBlock = z.strictObject(
    { type: z.literal('text'), text, cache_control: hint.optional() },
    'must be an object',
  );
  const imageBlock = z.strictObject(
    { type: z.literal('image_url'), image_url: imageUrl, cache_control: hint.optional() },
    'must be an object',
  );
  const block = z.discriminatedUnion('type', [textBlock, imageBlock], {
    error: (issue) => (issue.code === 'invalid_union' ? 'must be text or image_url' : 'must be an object'),
  });
  const systemBlocks = filledListOf(textBlock);
  const systemContent: z.ZodType<string | TextBlock[]> = takesSystemBlocks
    ? z.union([text, systemBlocks], 'must be a string or an array of text blocks')
    : text;
  const system = z.strictObject({ role: z.literal('system'), content: systemContent, name });
  const user = z.strictObject({
    role: z.literal('user'),
    content: z.union([text, filledListOf(block)], 'must be a string or an array of content blocks'),
    name,
  });
  return z.discriminatedUnion('role', [system, user, assistant, tool], {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'must be one of system, user, assistant, tool' : 'must be an object',
  });
}

/** Fast path for a message of only a role and a text, as most are: returns what its schema would return. */
export function plainMessage(given: unknown): Message | null {
  if (!isObject(given) || Object.keys(given).length !== 2) return null;
  const { role, content } = given;
  if (typeof content !== 'string') return null;
  return role === 'user' || role === 'system' || role === 'assistant' ? { role, content } : null;
}

export type Message = z.infer<ReturnType<typeof messageSchema>>;
export type ContentBlock = Exclude<Extract<Message, { role: 'user' }>['content'], string>[number];
