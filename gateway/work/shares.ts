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

/** Shares with a fixed capacity each. */
export function fixedShares(max: Readonly<Record<string, number>>): Shares {
  const used = new Map<string, number>();
  const roomOf = (share: string): number => (max[share] ?? 0) - (used.get(share) ?? 0);
  const count = (share: string, by: number): void => {
    used.set(share, (used.get(share) ?? 0) + by);
  };
  return {
    freeSlots: (wanted) =>
      new Map([...wanted].map((share) => [share, roomOf(share)] as const).filter(([, room]) => room > 0)),
    begin: (share) => {
      count(share, 1);
      return () => count(share, -1);
    },
    isSlow: () => false,
  };
}
