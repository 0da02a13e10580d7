import { z } from 'zod';
import { mediaKind } from './media-url.ts';

const text = z.string('must be a string');
const name = text.nullish();
/** A hint that only some models honour; everywhere else it is taken off before the request goes on (B-29). */
const cacheControl = z.looseObject({}, 'must be an object').nullish();

const textBlock = z.strictObject(
  { type: z.literal('text'), text, cache_control: cacheControl },
  'must be an object',
);
const imageBlock = z.strictObject(
  {
    type: z.literal('image_url'),
    image_url: z.strictObject(
      {
        url: text.refine(
          (url) => mediaKind(url) !== null,
          'must be an http or https URL or a data URI of the form data:<mime>;base64,<data>',
        ),
        detail: z.enum(['auto', 'low', 'high'], 'must be auto, low or high').nullish(),
      },
      'must be an object',
    ),
    cache_control: cacheControl,
  },
  'must be an object',
);
const block = z.discriminatedUnion('type', [textBlock, imageBlock], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must be text or image_url' : 'must be an object'),
});

const toolCall = z.strictObject(
  {
    id: text.min(1, 'must not be empty'),
    type: z.literal('function', 'must be function'),
    function: z.strictObject(
      { name: text.min(1, 'must not be empty'), arguments: text },
      'must be an object',
    ),
    // Clients that collected a stream send the position back.
    index: z.int('must be an integer').nullish(),
  },
  'must be an object',
);

const system = z.strictObject({ role: z.literal('system'), content: text, name });
const user = z.strictObject({
  role: z.literal('user'),
  content: z.union(
    [text, z.array(block).min(1, 'must not be empty')],
    'must be a string or an array of content blocks',
  ),
  name,
});
const assistant = z.strictObject({
  role: z.literal('assistant'),
  content: z.union([text, z.null()], 'must be a string or null').optional(),
  tool_calls: z.array(toolCall, 'must be an array').nullish(),
  // Part of the common response message; clients send it back with the history.
  refusal: z.null('must be null').optional(),
  name,
});
const tool = z.strictObject({
  role: z.literal('tool'),
  content: text,
  tool_call_id: text.min(1, 'must not be empty'),
  name,
});

/** One prior turn (specification, "Message roles"). */
export const messageSchema = z.discriminatedUnion('role', [system, user, assistant, tool], {
  error: (issue) =>
    issue.code === 'invalid_union' ? 'must be one of system, user, assistant, tool' : 'must be an object',
});

export type Message = z.infer<typeof messageSchema>;
export type ContentBlock = z.infer<typeof block>;
