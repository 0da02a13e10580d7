/**
 * The token rule of the simulators. A text is split into pieces, its tokens; joined, they are the text. A piece is
 * a run of up to 8 letters, digits or marks (one leading space belongs to it), any other visible character
 * (with one leading space), or a single white-space character.
 *
 * A piece never depends on what follows it. A text cut between two pieces therefore keeps its earlier pieces.
 */
const piece = / ?[\p{L}\p{M}\p{N}_]{1,8}| ?[^\s\p{L}\p{M}\p{N}_]|\s/gu;

/** Tokens of a turn in addition to its content, in every dialect. */
export const turnTokens = 4;
/** Tokens of an image or any other medium, in every dialect. */
export const mediaTokens = 85;

export function cutIntoPieces(text: string): string[] {
  return text.match(piece) ?? [];
}

export function countTokens(text: string): number {
  let count = 0;
  // `test` advances lastIndex and allocates nothing: prompts can have tens of megabytes.
  piece.lastIndex = 0;
  while (piece.test(text)) count += 1;
  return count;
}

/** The first `limit` pieces of the text, as text. */
export function firstTokens(text: string, limit: number): string {
  let count = 0;
  let end = 0;
  piece.lastIndex = 0;
  while (count < limit && piece.test(text)) {
    count += 1;
    end = piece.lastIndex;
  }
  piece.lastIndex = 0;
  return text.slice(0, end);
}
