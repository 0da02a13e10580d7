import type { ChatRequest } from './chat-request.ts';
import { bytesIn, maxPromptTokens, promptTexts } from './prompt-bounds.ts';

/**
 * If an upper bound on the prompt is below this part of the window, it is precise enough and saves a call to the upstream.
 */
const boundedPart = 1 / 4;
/** Assumed bytes per token without a count. Few scripts have fewer. */
const bytesPerToken = 2;

/**
 * The longest answer to a request without `max_tokens`: the window minus its prompt (B-15). `count` gets the length of the
 * prompt from the upstream; null where that is impossible.
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
