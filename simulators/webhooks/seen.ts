/** The limits of the memory. */
export interface SeenLimits {
  /** The oldest ids are forgotten first. */
  readonly maxIds: number;
  /** How long an id is remembered after its last delivery: longer than its sender retries. */
  readonly keepMs: number;
}

/** Longer than the 75 hours for which senders retry (reading B-114). */
const usualLimits: SeenLimits = { maxIds: 100_000, keepMs: 100 * 60 * 60 * 1000 };

interface Seen {
  readonly work: Promise<void>;
  readonly atMs: number;
}

/**
 * Processes every event once, however often it is delivered, even if two deliveries arrive together. Pass only ids of
 * verified events: otherwise a forger could block the id of a real event.
 */
export class SeenIds {
  readonly #now: () => number;
  readonly #limits: SeenLimits;
  /** In the order in which they were last seen. */
  readonly #seen = new Map<string, Seen>();

  constructor(now: () => number, limits: SeenLimits = usualLimits) {
    this.#now = now;
    this.#limits = limits;
  }

  /**
   * Does the work unless it was done for this id before, and returns which. Concurrent deliveries wait for the same work. If
   * it fails, all waiting deliveries reject, and the next delivery repeats it.
   */
  async once(id: string, work: () => Promise<void>): Promise<'processed' | 'duplicate'> {
    const nowMs = this.#now();
    const known = this.#take(id, nowMs);
    this.#makeRoom(nowMs);
    const mine = known ?? work();
    // Setting it again makes it the newest.
    this.#seen.set(id, { work: mine, atMs: nowMs });
    try {
      await mine;
    } catch (error) {
      if (this.#seen.get(id)?.work === mine) this.#seen.delete(id);
      throw error;
    }
    return known === undefined ? 'processed' : 'duplicate';
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Removes an id from the memory. Returns its work, unless it has expired. */
  #take(id: string, nowMs: number): Promise<void> | undefined {
    const known = this.#seen.get(id);
    this.#seen.delete(id);
    return known !== undefined && nowMs - known.atMs <= this.#limits.keepMs ? known.work : undefined;
  }

  #makeRoom(nowMs: number): void {
    for (const [id, { atMs }] of this.#seen) {
      if (nowMs - atMs <= this.#limits.keepMs && this.#seen.size < this.#limits.maxIds) return;
      this.#seen.delete(id);
    }
  }
}
