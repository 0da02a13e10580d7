import type { ChatRequest } from './chat-request.ts';
import { bytesIn, maxPromptTokens, promptTexts } from './prompt-bounds.ts';

/** Up to this part of the window a bound on the prompt is close enough, and saves asking the upstream. */
const boundedPart = 1 / 4;
/** Assumed bytes of a token without a count: few scripts have shorter ones. */
const bytesPerToken = 2;

/**
 * The longest answer to a request that names no `max_tokens`: what its prompt leaves of the window (B-15). `count`
 * asks the upstream for the length of the prompt; null where it cannot.
 */
export async function answerRoom(
  { model, fields }: ChatRequest,
  count: (() => Promise<number | null>) | null,
): Promise<number> {
  const texts = promptTexts(fields);
  const bound = maxPromptTokens(fields, texts);
  const prompt =
    bound <= model.contextTokens * boundedPart ? bound : ((await count?.()) ?? estimateOf(texts, bound));
  return Math.max(1, Math.min(model.outputTokens, model.contextTokens - Math.ceil(prompt)));
}

function estimateOf(texts: readonly string[], bound: number): number {
  const bytes = bytesIn(texts);
  return Math.min(bound, bytes / bytesPerToken);
}
