import type { StreamPiece, Usage } from '../outcome.ts';

/** The declared estimate of uncounted tokens: one for every four bytes of text (B-36). */
const bytesPerToken = 4;

/** Estimated tokens for this many bytes of text. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** Bytes of text in a piece. */
export function bytesOf(piece: StreamPiece): number {
  switch (piece.kind) {
    case 'text':
    case 'tool_arguments':
      return Buffer.byteLength(piece.text);
    case 'tool_start':
      return Buffer.byteLength(piece.name);
    case 'native':
      return Buffer.byteLength(JSON.stringify(piece.native));
  }
}

/**
 * Usage of an answer that the gateway cut before its upstream had counted it. It is at least what the upstream had reported,
 * and at least the estimate for the text passed on.
 */
export function cutUsage(
  reported: Usage | null,
  estimate: { readonly promptTokens: number; readonly completionTokens: number },
): Usage {
  const known = reported ?? {
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
  };
  const promptTokens = known.promptTokens > 0 ? known.promptTokens : estimate.promptTokens;
  const completionTokens = Math.max(known.completionTokens, estimate.completionTokens);
  const isAsReported = promptTokens === known.promptTokens && completionTokens === known.completionTokens;
  if (isAsReported) return known;
  const { doubts = [] } = known;
  return { ...known, promptTokens, completionTokens, doubts: [...doubts, 'estimated'] };
}
