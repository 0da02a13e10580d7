/** Reads `length` bytes from offset `at`, all of which exist. */
export type ReadAt = (at: number, length: number) => Promise<Buffer>;

/** What is asked for at a jump, and at most when one read follows another. */
const leastBytes = 64 * 1024;
const mostBytes = 1024 * 1024;

/**
 * Reads of an object of this length, few bytes at a time, by few requests: each fetches more than was asked for, and twice as much
 * as the one before where that was read to its end. A jump begins anew, because the next may be as far.
 */
export function createReadAhead(bytes: number, fetch: ReadAt): ReadAt {
  let held: Buffer = Buffer.alloc(0);
  let heldAt = 0;
  let ahead = leastBytes;

  const load = async (at: number): Promise<void> => {
    const isNext = held.length > 0 && at === heldAt + held.length;
    ahead = isNext ? Math.min(ahead * 2, mostBytes) : leastBytes;
    held = await fetch(at, Math.min(ahead, bytes - at));
    heldAt = at;
  };
  return async (at, length) => {
    const end = Math.min(at + length, bytes);
    const pieces: Buffer[] = [];
    for (let from = at; from < end; ) {
      if (from < heldAt || from >= heldAt + held.length) await load(from);
      const piece = held.subarray(from - heldAt, end - heldAt);
      pieces.push(piece);
      from += piece.length;
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  };
}
