import { GatewayError } from '../errors/gateway-error.ts';
import type { ChatRequest } from './chat-request.ts';
import { leastTokens, mostTokens, promptTexts } from './prompt-bounds.ts';

/**
 * Refuses a prompt that together with `max_tokens` exceeds the model's window (B-15, B-16); exactly the window fits.
 * What is certain is decided here. In between, `count` asks the upstream, whose tokenizer alone is right; it is null
 * where no upstream can be asked, and answers null when it was asked in vain: the request then goes on, for its
 * upstream to judge. Without `max_tokens` only the prompt has to fit, and every upstream judges that by itself.
 */
export async function checkContext(
  { model, fields, maxTokens }: ChatRequest,
  count: (() => Promise<number | null>) | null,
): Promise<void> {
  const window = model.contextTokens;
  if (maxTokens !== null && maxTokens > window) {
    throw new GatewayError('context_too_long', {
      param: 'max_tokens',
      message: `max_tokens alone exceeds the context window of ${window} tokens.`,
    });
  }
  const room = window - (maxTokens ?? 0);
  const texts = promptTexts(fields);
  if (leastTokens(fields, texts, room) > room) throw tooLong(window);
  if (maxTokens === null || count === null || mostTokens(fields, texts) <= room) return;
  const tokens = await count();
  if (tokens !== null && tokens > room) throw tooLong(window);
}

function tooLong(window: number): GatewayError {
  return new GatewayError('context_too_long', {
    param: 'messages',
    message: `The prompt and max_tokens exceed the context window of ${window} tokens.`,
  });
}
