/** Longer texts are encoded piece by piece: all at once, one of 20 MB keeps everybody from the loop. */
const largeLength = 256 * 1024;

/** A body as the HTTP client takes it, with its length in bytes where the client cannot know it. */
export interface SentBody {
  readonly body: string | Iterable<Buffer>;
  readonly bytes: number | null;
}

/** A text as the body of a request. The pieces of a large one are made as the connection takes them. */
export function sentBody(text: string): SentBody {
  if (text.length <= largeLength) return { body: text, bytes: null };
  return { body: piecesOf(text), bytes: Buffer.byteLength(text) };
}

function* piecesOf(text: string): Generator<Buffer> {
  for (let from = 0; from < text.length; ) {
    const end = Math.min(from + largeLength, text.length);
    // A character of two halves belongs into one piece.
    const to = end < text.length && isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end;
    yield Buffer.from(text.slice(from, to));
    from = to;
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
