import { delta } from '../fake-upstream.ts';
import { generateEvent, response as generateResponse } from '../generate-content-upstream.ts';
import { blockDelta, messageEvent } from '../messages-upstream.ts';
import { tokensOf } from './numbered.ts';

function usageA(n: number): object {
  const { prompt, cached, completion } = tokensOf(n);
  return { input_tokens: prompt - cached, cache_read_input_tokens: cached, output_tokens: completion };
}

function usageB(n: number): object {
  const { prompt, cached, completion } = tokensOf(n);
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: cached,
    candidatesTokenCount: completion,
    totalTokenCount: prompt + completion,
  };
}

function usageOfChat(n: number): object {
  const { prompt, cached, completion } = tokensOf(n);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'native', stop_sequence: null };

/** A plain answer in the dialect of this path, with counts made from this number. */
export function plainFor(path: string, n: number): object {
  if (path.endsWith('/messages'))
    return {
      ...message,
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: usageA(n),
    };
  if (path.includes(':generateContent'))
    return generateResponse(['Hello'], 'STOP', { usageMetadata: usageB(n) });
  return {
    id: 'native-id',
    object: 'chat.completion',
    created: 1,
    model: 'native',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: usageOfChat(n),
  };
}

/** The same as a stream: a first piece with text, then the rest. */
export function piecesFor(path: string, n: number): string[] {
  if (path.endsWith('/messages')) {
    const started = { ...message, content: [], stop_reason: null, usage: { ...usageA(n), output_tokens: 1 } };
    return [
      messageEvent('message_start', { message: started }) +
        messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
        blockDelta(0, { type: 'text_delta', text: 'Hel' }),
      blockDelta(0, { type: 'text_delta', text: 'lo' }),
      messageEvent('content_block_stop', { index: 0 }),
      messageEvent('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: usageA(n),
      }),
      messageEvent('message_stop'),
    ];
  }
  if (path.includes(':streamGenerateContent'))
    return [
      generateEvent(generateResponse(['Hel'], null, { usageMetadata: undefined })),
      generateEvent(generateResponse(['lo'], 'STOP', { usageMetadata: usageB(n) })),
    ];
  return [
    delta({ role: 'assistant', content: 'Hel' }),
    delta({ content: 'lo' }),
    delta({}, 'stop'),
    `data: ${JSON.stringify({ choices: [], usage: usageOfChat(n) })}\n\n`,
    'data: [DONE]\n\n',
  ];
}
