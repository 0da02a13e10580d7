/** Reads `length` bytes from offset `at`, all of which exist. */
export type ReadAt = (at: number, length: number) => Promise<Buffer>;

/** Bytes fetched after a jump, and the maximum for sequential reads. */
const leastBytes = 64 * 1024;
const mostBytes = 1024 * 1024;

/**
 * Serves small reads of an object of this length with few requests. Each request fetches ahead, and twice as much as the one
 * before while reads are sequential. A jump starts again with little, because the next read may jump too.
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
