import type { Clock } from '../clock.ts';

/** One request in flight. */
export interface Slot {
  readonly id: string;
  /** Releases the slot; may be called again. Others can have it when this returns, or resolves; never rejects. */
  release(): void | Promise<void>;
  /** Sets how to end the request if its slot is lost. This can only happen where several processes count slots. */
  onLost(cut: () => void): void;
}

/** How many requests of one user are in flight. */
export interface HeldSlots {
  readonly userId: string;
  readonly held: number;
}

/** Counts the requests in flight of each user. */
export interface Slots {
  /** Takes a slot for one more request; null if the user already has `cap` of them. */
  take(userId: string, cap: number): Promise<Slot | null> | Slot | null;
  held(userId: string): Promise<number>;
  /** Every user with requests in flight, in the order of their ids. */
  all(): Promise<readonly HeldSlots[]>;
  /** Releases slots kept for later requests. None are kept from then on. */
  close(): Promise<void>;
}

/**
 * Slots of a single gateway. Each is released by its request. `ttlMs`, longer than any request can last, is a safety net: a
 * slot that was never released does not block its user forever.
 */
export function createMemorySlots(clock: Clock, newId: () => string, ttlMs: number): Slots {
  /** By user: slot id to expiry time. */
  const users = new Map<string, Map<string, number>>();
  const release = (userId: string, slotId: string): void => {
    const slots = users.get(userId);
    if (slots?.delete(slotId) && slots.size === 0) users.delete(userId);
  };
  const prune = (userId: string): number => {
    const now = clock.monotonic();
    for (const [slotId, expiry] of users.get(userId) ?? []) {
      // The slots after this one were taken later.
      if (expiry > now) break;
      release(userId, slotId);
    }
    return users.get(userId)?.size ?? 0;
  };
  return {
    take: (userId, cap) => {
      if (prune(userId) >= cap) return null;
      const id = newId();
      const slots = users.get(userId) ?? new Map<string, number>();
      users.set(userId, slots.set(id, clock.monotonic() + ttlMs));
      return { id, release: () => release(userId, id), onLost: () => {} };
    },
    held: async (userId) => prune(userId),
    all: async () =>
      [...users.keys()]
        .map((userId) => ({ userId, held: prune(userId) }))
        .filter(({ held }) => held > 0)
        .sort((one, other) => (one.userId < other.userId ? -1 : 1)),
    close: async () => {},
  };
}
