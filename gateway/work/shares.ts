/** How many rows a process works on at once, counted by share, so that no share uses the capacity of another. */
export interface Shares {
  /** The free capacity of each of these shares, in the given order; shares without any are left out. */
  freeSlots(wanted: Iterable<string>): Map<string, number>;
  /**
   * Counts the start of one piece of work. Call the result when it ends, with whether it was too slow (null:
   * unknown).
   */
  begin(share: string): (wasSlow: boolean | null) => void;
  /** Whether work of this share is likely to hang, so that waiting for it is useless. */
  isSlow(share: string): boolean;
}

/**
 * Shares that divide a capacity, of which each gets three quarters at most: what hangs in one leaves room for the others.
 * Those in `apart` have a capacity of their own.
 */
export function dividedShares(capacity: number, apart: Readonly<Record<string, number>> = {}): Shares {
  const used = new Map<string, number>();
  const most = Math.ceil((capacity * 3) / 4);
  let left = capacity;
  const count = (share: string, by: number): void => {
    const now = (used.get(share) ?? 0) + by;
    if (now === 0) used.delete(share);
    else used.set(share, now);
    if (apart[share] === undefined) left -= by;
  };
  return {
    freeSlots: (wanted) => {
      const free = new Map<string, number>();
      let leftHere = left;
      for (const share of wanted) {
        const own = apart[share];
        const room = Math.min((own ?? most) - (used.get(share) ?? 0), own ?? leftHere);
        if (room <= 0) continue;
        free.set(share, room);
        if (own === undefined) leftHere -= room;
      }
      return free;
    },
    begin: (share) => {
      count(share, 1);
      return () => count(share, -1);
    },
    isSlow: () => false,
  };
}
