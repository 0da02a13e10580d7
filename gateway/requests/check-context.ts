import { GatewayError } from '../errors/gateway-error.ts';
import { inTurns, nextTurn } from '../http/next-turn.ts';
import { type ChatRequest, paramOf } from './chat-request.ts';
import { isShort, maxPromptTokens, minPromptTokens, promptTexts } from './prompt-bounds.ts';

/**
 * Rejects a prompt that together with `max_tokens` exceeds the model's context window (B-15, B-16); an exact fit
 * is allowed. Clear cases are decided here. For others `count` asks the upstream, as only its tokenizer is exact.
 * `count` is null when no upstream can be asked, and returns null when it gets no answer; the upstream then judges
 * the request itself. Without `max_tokens` only the prompt must fit, which every upstream checks itself.
 */
export function checkContext(
  request: ChatRequest,
  count: (() => Promise<number | null>) | null,
): Promise<void> | void {
  const { model, fields, maxTokens } = request;
  const window = model.contextTokens;
  if (maxTokens !== null && maxTokens > window) {
    throw new GatewayError('context_too_long', {
      param: paramOf(request, 'max_tokens'),
      message: `The tokens asked for alone exceed the context window of ${window} tokens.`,
    });
  }
  const room = window - (maxTokens ?? 0);
  const texts = promptTexts(fields);
  const asks = maxTokens === null ? null : count;
  const isLong = !isShort(fields, texts, room);
  if (isLong || asks !== null) return checkLength(request, { texts, room, isLong }, asks);
}

interface Prompt {
  readonly texts: readonly string[];
  /** The maximum number of prompt tokens. */
  readonly room: number;
  /** Whether its length alone does not show that it fits. */
  readonly isLong: boolean;
}

async function checkLength(
  request: ChatRequest,
  { texts, room, isLong }: Prompt,
  count: (() => Promise<number | null>) | null,
): Promise<void> {
  const { fields } = request;
  if (isLong && (await inTurns(minPromptTokens(fields, texts, room), nextTurn)) > room)
    throw tooLong(request);
  if (count === null) return;
  // The size of native-only fields has no known bound in tokens.
  const isWhole = (request.native?.nativeOnly ?? []).length === 0;
  if (isWhole && maxPromptTokens(fields, texts) <= room) return;
  const tokens = await count();
  if (tokens !== null && tokens > room) throw tooLong(request);
}

function tooLong(request: ChatRequest): GatewayError {
  return new GatewayError('context_too_long', {
    param: paramOf(request, 'messages'),
    message: `The prompt and the tokens asked for exceed the context window of ${request.model.contextTokens} tokens.`,
  });
}
