import { estimatedTokens } from '../upstreams/usage/estimate-usage.ts';
import type { ChatRequest } from './chat-request.ts';
import { promptTexts } from './prompt-bounds.ts';

/** What an image or another medium counts for. */
const tokensOfMedium = 1_000;

/** The declared estimate of a prompt that no upstream has counted (B-36). */
export function estimatedPrompt({ fields }: Pick<ChatRequest, 'fields'>): number {
  const bytes = promptTexts(fields).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const media = fields.messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === 'image_url') : [],
  );
  return estimatedTokens(bytes) + media.length * tokensOfMedium;
}
