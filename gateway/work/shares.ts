/** How many rows a process works on at once, counted by share, so that no share takes the room of another. */
export interface Shares {
  /** How many more each of these may begin now, those that may none left out; the first ones before the others. */
  rooms(wanted: Iterable<string>): Map<string, number>;
  /** Counts one; to be called when it is over, with whether it was too slow (null: nobody can tell). */
  begin(share: string): (wasSlow: boolean | null) => void;
  /** Whether work of this share is likely to hang: there is no use in waiting for it. */
  isSlow(share: string): boolean;
}

/** Shares of a fixed size each. */
export function fixedShares(max: Readonly<Record<string, number>>): Shares {
  const used = new Map<string, number>();
  const roomOf = (share: string): number => (max[share] ?? 0) - (used.get(share) ?? 0);
  const count = (share: string, by: number): void => {
    used.set(share, (used.get(share) ?? 0) + by);
  };
  return {
    rooms: (wanted) =>
      new Map([...wanted].map((share) => [share, roomOf(share)] as const).filter(([, room]) => room > 0)),
    begin: (share) => {
      count(share, 1);
      return () => count(share, -1);
    },
    isSlow: () => false,
  };
}
