import type { StreamPiece, Usage } from '../outcome.ts';

/** The declared estimate of uncounted tokens: one for every four bytes of text (B-36). */
const bytesPerToken = 4;

/** Tokens of so many bytes of text. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** How many bytes of text a piece brings. */
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
 * Usage of an answer that we cut before its upstream had counted it: no less than what it had reported by then, and
 * no less than the estimate of what was passed on.
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
