import type { Clock } from '../clock.ts';
import { createBusyCount } from '../work/busy-count.ts';
import type { LeasedSlot, LeaseSlots } from './lease-slots.ts';
import type { Slot, Slots } from './slots.ts';

/** How processes that share a database ask each other to release kept slots. */
export interface SlotRecall {
  /** Whether this process receives the requests of others. It keeps nothing while it does not. */
  readonly isHeard: boolean;
  /** Asks all others to release the kept slots of a user. Rejects when the database does. */
  ask(userId: string): Promise<void>;
  onAsked(give: (userId: string) => void): void;
}

/** Slots are kept for users with this many calls a second. All others are released at once. */
const busyCalls = 64;
/** Kept slots that were idle for this long are released. */
const sweepMs = 250;
/** How long none of a user's slots are kept after a process asked for them, and after how long it may ask again. */
const sharedMs = 1_500;
const askAgainMs = 1_000;
/** Waits between retries after asking: the others release their slots within a few milliseconds. */
const retryMs = [4, 12, 30] as const;

interface KeptUser {
  readonly idle: LeasedSlot[];
  /** The cap under which the idle slots were taken. */
  cap: number;
  /** The lowest number of idle slots since the last sweep. */
  fewest: number;
  sharedUntilMs: number;
  askedAtMs: number;
  asking: Promise<void> | null;
}

/**
 * Keeps the leases of busy users from one request to the next, so that these requests write nothing. A process that finds a
 * user's cap reached asks the others to release kept slots. So no request is rejected because of an idle slot.
 */
export function createKeptSlots(leases: LeaseSlots, recall: SlotRecall, clock: Clock): Slots {
  const users = new Map<string, KeptUser>();
  const recent = createBusyCount(clock, busyCalls);
  let sweeping: { cancel(): void } | null = null;
  let isClosed = false;

  const userOf = (userId: string, cap: number): KeptUser => {
    const known = users.get(userId);
    if (known !== undefined) return known;
    const user = { idle: [], cap, fewest: 0, sharedUntilMs: 0, askedAtMs: 0, asking: null };
    users.set(userId, user);
    sweepLater();
    return user;
  };
  const give = async (userId: string, user: KeptUser, count: number): Promise<void> => {
    const slots = user.idle.splice(0, count);
    user.fewest = Math.min(user.fewest, user.idle.length);
    if (slots.length > 0)
      await leases.giveBack(
        userId,
        slots.map(({ id }) => id),
      );
  };
  const sweepLater = (): void => {
    sweeping ??= clock.schedule(sweepMs, () => {
      sweeping = null;
      const now = clock.monotonic();
      for (const [userId, user] of users) {
        void give(userId, user, user.fewest);
        user.fewest = user.idle.length;
        if (user.idle.length === 0 && user.sharedUntilMs <= now && user.asking === null) users.delete(userId);
      }
      if (users.size > 0 && !isClosed) sweepLater();
    });
  };
  const mayKeep = (userId: string, cap: number): boolean => {
    if (isClosed || !recall.isHeard || !recent.isBusy(userId)) return false;
    const user = users.get(userId);
    return user === undefined || (user.cap === cap && user.sharedUntilMs <= clock.monotonic());
  };
  const handOut = (userId: string, cap: number, slot: LeasedSlot): Slot => {
    let isOver = false;
    return {
      id: slot.id,
      onLost: (cut) => slot.onLost(cut),
      release: () => {
        if (isOver) return undefined;
        isOver = true;
        slot.onLost(() => {});
        if (!mayKeep(userId, cap)) return slot.release();
        userOf(userId, cap).idle.push(slot);
        return undefined;
      },
    };
  };
  const takeIdle = (userId: string, cap: number): LeasedSlot | null => {
    const user = users.get(userId);
    if (user === undefined || user.cap !== cap || user.idle.at(-1)?.takeAgain() !== true) return null;
    const slot = user.idle.pop() ?? null;
    user.fewest = Math.min(user.fewest, user.idle.length);
    return slot;
  };
  /** Takes a new lease, after releasing kept slots that cannot be used. */
  const takeNew = async (userId: string, cap: number): Promise<Slot | null> => {
    const user = users.get(userId);
    if (user !== undefined && user.idle.length > 0) {
      await give(userId, user, user.idle.length);
      user.cap = cap;
    }
    const slot =
      (await leases.take(userId, cap)) ?? (recall.isHeard ? await takeRecalled(userId, cap) : null);
    return slot === null ? null : handOut(userId, cap, slot);
  };
  /** Tries again after the others have released their kept slots. */
  const takeRecalled = async (userId: string, cap: number): Promise<LeasedSlot | null> => {
    const user = userOf(userId, cap);
    const now = clock.monotonic();
    user.sharedUntilMs = now + sharedMs;
    if (user.asking === null) {
      if (now - user.askedAtMs < askAgainMs) return null;
      user.askedAtMs = now;
      // If asking fails, the request is rejected, as when the others keep nothing.
      user.asking = recall.ask(userId).catch(() => {});
      void user.asking.finally(() => {
        user.asking = null;
      });
    }
    await user.asking;
    for (const waitMs of retryMs) {
      await clock.sleep(waitMs);
      const slot = await leases.take(userId, cap);
      if (slot !== null) return slot;
    }
    return null;
  };
  recall.onAsked((userId) => {
    const user = users.get(userId);
    if (user === undefined) return;
    user.sharedUntilMs = clock.monotonic() + sharedMs;
    void give(userId, user, user.idle.length);
  });
  const kept = (userId: string): number => users.get(userId)?.idle.length ?? 0;
  return {
    take: (userId, cap) => {
      recent.add(userId);
      const idle = takeIdle(userId, cap);
      return idle === null ? takeNew(userId, cap) : handOut(userId, cap, idle);
    },
    held: async (userId) => Math.max(0, (await leases.held(userId)) - kept(userId)),
    all: async () =>
      (await leases.all())
        .map(({ userId, held }) => ({ userId, held: held - kept(userId) }))
        .filter(({ held }) => held > 0),
    close: async () => {
      isClosed = true;
      sweeping?.cancel();
      await Promise.all([...users].map(([userId, user]) => give(userId, user, user.idle.length)));
      users.clear();
    },
  };
}
