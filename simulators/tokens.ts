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
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/** Allocates nothing: prompts can have tens of megabytes. */
export function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = pieceEnd(text, at)) count += 1;
  return count;
}

/** The first `limit` pieces of the text, as text. */
export function firstTokens(text: string, limit: number): string {
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count += 1) end = pieceEnd(text, end);
  return text.slice(0, end);
}

/** Where the piece that begins at `from` ends. */
export function pieceEnd(text: string, from: number): number {
  const first = text.charCodeAt(from);
  // Most text is ASCII. For ASCII, a table classifies letters many times faster than the pattern.
  let at = first === space ? from + 1 : from;
  const code = first === space && at < text.length ? text.charCodeAt(at) : first;
  if (code > 127) return patternEnd(text, from);
  const kind = classOf[code];
  if (kind === blank) return from + 1;
  if (kind !== letter) return at + 1;
  const most = Math.min(at + longestWord, text.length);
  for (at += 1; at < most; at += 1) {
    const next = text.charCodeAt(at);
    if (next > 127) return patternEnd(text, from);
    if (classOf[next] !== letter) return at;
  }
  return at;
}

function patternEnd(text: string, from: number): number {
  piece.lastIndex = from;
  return piece.test(text) ? piece.lastIndex : text.length;
}

const letter = 1;
const blank = 2;
/** The class of each ASCII character: of words, white space, or 0. */
const classOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\w/.test(character)) return letter;
  return /\s/.test(character) ? blank : 0;
});
const space = 0x20;
const longestWord = 8;
