/** Longer texts are encoded piece by piece: to encode 20 MB at once would block the event loop. */
const largeLength = 256 * 1024;

/** A body in the form that the HTTP client takes, with its length in bytes if the client cannot know it. */
export interface SentBody {
  readonly body: string | Iterable<Buffer>;
  readonly bytes: number | null;
}

/** A text as a request body. A large text is encoded in pieces as the connection takes them. */
export function sentBody(text: string): SentBody {
  if (text.length <= largeLength) return { body: text, bytes: null };
  return { body: piecesOf(text), bytes: Buffer.byteLength(text) };
}

function* piecesOf(text: string): Generator<Buffer> {
  for (let from = 0; from < text.length; ) {
    const end = Math.min(from + largeLength, text.length);
    // Both halves of a surrogate pair belong in one piece.
    const to = end < text.length && isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end;
    yield Buffer.from(text.slice(from, to));
    from = to;
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
