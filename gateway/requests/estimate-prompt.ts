import { estimatedTokens } from '../upstreams/usage/estimate-usage.ts';
import type { ChatRequest } from './chat-request.ts';
import { bytesIn, promptTexts } from './prompt-bounds.ts';

/** Assumed tokens of an image or another medium. */
const tokensOfMedium = 1_000;

/** The declared estimate of a prompt that no upstream has counted (B-36). */
export function estimatedPrompt({ fields }: Pick<ChatRequest, 'fields'>): number {
  const bytes = bytesIn(promptTexts(fields));
  const media = fields.messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === 'image_url') : [],
  );
  return estimatedTokens(bytes) + media.length * tokensOfMedium;
}
