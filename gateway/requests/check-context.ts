import { GatewayError } from '../errors/gateway-error.ts';
import type { ChatRequest } from './chat-request.ts';

/**
 * No vocabulary has entries in running text longer than this many characters, so that a text has at least one
 * token per so many. It is a bound for certain refusals, not an estimate: what it lets pass the upstream judges.
 */
const MAX_CHARACTERS_A_TOKEN = 32;

/** Refuses, without asking the upstream, what cannot fit the model's window under any tokenizer (B-15, B-16). */
export function checkContext({ model, fields, maxTokens }: ChatRequest): void {
  const window = model.contextTokens;
  if (maxTokens !== null && maxTokens > window) {
    throw new GatewayError('context_too_long', {
      param: 'max_tokens',
      message: `max_tokens alone exceeds the context window of ${window} tokens.`,
    });
  }
  // Every message costs at least one token.
  const room = window - (maxTokens ?? 0) - fields.messages.length;
  const texts = promptTexts(fields);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const fits = length / MAX_CHARACTERS_A_TOKEN <= room;
  if (fits || texts.reduce((sum, text) => sum + countVisible(text), 0) / MAX_CHARACTERS_A_TOKEN <= room)
    return;
  throw new GatewayError('context_too_long', {
    param: 'messages',
    message: `The prompt and max_tokens exceed the context window of ${window} tokens.`,
  });
}

function promptTexts({ messages, tools }: ChatRequest['fields']): string[] {
  const texts = messages.flatMap((message) => {
    if (typeof message.content === 'string') return [message.content];
    return (message.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  });
  return tools == null || tools.length === 0 ? texts : [...texts, JSON.stringify(tools)];
}

/** Characters that no tokenizer merges without end: neither white space nor a repetition of the one before. */
function countVisible(text: string): number {
  let count = 0;
  let before = '';
  for (const character of text) {
    if (character !== before && character.trim() !== '') count += 1;
    before = character;
  }
  return count;
}
