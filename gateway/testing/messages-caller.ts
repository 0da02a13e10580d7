import { type TestGateway, testKey } from './test-gateway.ts';
import { type Answer, read } from './wire.ts';

/** A caller of compat path A. */

export const messagesHead = { 'x-api-key': testKey, 'compat-a-version': '2023-06-01' };

/** The smallest valid request of the path. */
export const messagesRequest = {
  model: 'beta-large-4-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hi' }],
};

/** POST to the path; given headers replace the usual ones. */
export function postMessages(
  { url }: TestGateway,
  body: unknown,
  headers: Record<string, string> = messagesHead,
): Promise<Answer> {
  return read(`${url}/compat-a/v1/messages`, { method: 'POST', headers, body });
}

export interface MessagesView {
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of an event.
  readonly events: readonly any[];
  /** The message assembled from the events, as clients of the protocol do it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a message.
  readonly message: any;
  /** The error event that ended the stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of an event.
  readonly error: any;
}

/** Reads a stream like a strict client: throws at any event out of order. */
export function readMessageStream(text: string): MessagesView {
  const events = text.split('\n\n').filter(Boolean).map(eventOf);
  const [start, ping, ...rest] = events;
  if (start?.type !== 'message_start') throw new Error('the stream does not begin with its message');
  if (ping?.type !== 'ping') throw new Error('no ping follows the message');
  const message = structuredClone(start.message);
  let input: string | null = null;
  let isOpen = false;
  let isOver = false;
  for (const event of rest) {
    if (isOver) throw new Error(`${event.type} behind the end`);
    const block = message.content.at(-1);
    const isBlock = event.type.startsWith('content_block_');
    if (isBlock && event.index !== message.content.length - (event.type === 'content_block_start' ? 0 : 1))
      throw new Error(`${event.type} has index ${event.index}`);
    if (isBlock && isOpen === (event.type === 'content_block_start'))
      throw new Error(`${event.type} out of turn`);
    switch (event.type) {
      case 'content_block_start':
        isOpen = true;
        input = null;
        message.content.push(structuredClone(event.content_block));
        break;
      case 'content_block_delta':
        if (event.delta.type === 'input_json_delta') input = (input ?? '') + event.delta.partial_json;
        else grow(block, event.delta);
        break;
      case 'content_block_stop':
        isOpen = false;
        if (input !== null && input !== '') block.input = JSON.parse(input);
        break;
      case 'message_delta':
        if (isOpen) throw new Error('the message ends inside a block');
        Object.assign(message, event.delta);
        Object.assign(message.usage, event.usage);
        break;
      case 'message_stop':
        isOver = true;
        break;
      case 'error':
        return { events, message, error: event };
      default:
        throw new Error(`unknown event ${event.type}`);
    }
  }
  if (!isOver) throw new Error('the stream has no end');
  return { events, message, error: null };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of an event.
function eventOf(frame: string): any {
  const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(frame) ?? [];
  const event = JSON.parse(data);
  if (event.type !== name) throw new Error(`the event ${name} calls itself ${event.type}`);
  return event;
}

// biome-ignore lint/suspicious/noExplicitAny: blocks of any kind.
function grow(block: any, delta: any): void {
  if (delta.type === 'text_delta') block.text += delta.text;
  else if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
  else if (delta.type === 'signature_delta') block.signature = delta.signature;
  else if (delta.type === 'citations_delta') block.citations = [...(block.citations ?? []), delta.citation];
  else throw new Error(`unknown delta ${delta.type}`);
}
