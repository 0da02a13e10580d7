import { json, type Reply } from './fake-upstream.ts';

/**
 * Counts of a native message in the messages dialect. They add up: 11 input tokens, of which 3 read from and 5 written to the
 * cache.
 */
export const messageUsage = {
  input_tokens: 3,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 5,
  cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 1 },
  output_tokens: 7,
};

/** The same counts in the gateway's shape. */
export const ourMessageUsage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 5 },
};

/** A plain native message of these blocks; a string stands for a text block. */
export function message(content: string | readonly object[], more: object = {}): Reply {
  return json(200, {
    id: 'msg_native',
    type: 'message',
    role: 'assistant',
    model: 'native-name',
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: messageUsage,
    ...more,
  });
}

/** One event as the dialect frames it. */
export function messageEvent(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const { output_tokens, ...inputUsage } = messageUsage;

export const messageStart = messageEvent('message_start', {
  message: {
    id: 'msg_native',
    type: 'message',
    role: 'assistant',
    model: 'native-name',
    content: [],
    stop_reason: null,
    usage: { ...inputUsage, output_tokens: 1 },
  },
});

/** A block of text in the given fragments. */
export function textBlock(index: number, texts: readonly string[]): string[] {
  return [
    messageEvent('content_block_start', { index, content_block: { type: 'text', text: '' } }),
    ...texts.map((text) => blockDelta(index, { type: 'text_delta', text })),
    messageEvent('content_block_stop', { index }),
  ];
}

/** A tool call with its input in the given fragments. */
export function toolBlock(index: number, id: string, name: string, fragments: readonly string[]): string[] {
  return [
    messageEvent('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } }),
    ...['', ...fragments].map((text) => blockDelta(index, { type: 'input_json_delta', partial_json: text })),
    messageEvent('content_block_stop', { index }),
  ];
}

export function blockDelta(index: number, delta: object): string {
  return messageEvent('content_block_delta', { index, delta });
}

/** The end of a stream: the reason with the counts, then the marker. */
export function messageEnd(reason = 'end_turn'): string[] {
  return [
    messageEvent('message_delta', {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens },
    }),
    messageEvent('message_stop'),
  ];
}

/** The usual events of a text stream. */
export function messageStream(texts: readonly string[], reason?: string): string[] {
  const [start = '', ...rest] = textBlock(0, texts);
  return [messageStart, start, messageEvent('ping'), ...rest, ...messageEnd(reason)];
}
