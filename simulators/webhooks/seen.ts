/** How much is remembered. */
export interface SeenLimits {
  /** The oldest ids are forgotten first. */
  readonly maxIds: number;
  /** How long an id is remembered after it was last seen: longer than its sender goes on trying. */
  readonly keepMs: number;
}

/** Senders try for 75 hours (reading B-114). */
const usualLimits: SeenLimits = { maxIds: 100_000, keepMs: 100 * 60 * 60 * 1000 };

interface Seen {
  readonly work: Promise<void>;
  readonly atMs: number;
}

/**
 * Has every event processed once, however often it is delivered, and also when two deliveries arrive together. Only ids
 * of events that were verified belong here: others would let a forger spoil an id for the event that is to come.
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
   * Does the work unless it was done for this id before, and says whether it was. Who comes while it is being done waits
   * for it. Work that fails is forgotten, so that the next delivery does it again; all who wait for it hear of that.
   */
  async once(id: string, work: () => Promise<void>): Promise<'processed' | 'duplicate'> {
    const nowMs = this.#now();
    const known = this.#take(id, nowMs);
    this.#makeRoom(nowMs);
    const mine = known ?? work();
    // Set anew, it is the youngest.
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

  /** Takes an id out of the memory, with what was done for it unless that is too long ago. */
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
