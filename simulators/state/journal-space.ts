/** What takes part of the space: the journal of a tenant. */
export interface SpaceOwner {
  readonly heldBytes: number;
  dropOldest(): void;
}

const defaultMaxBytes = 1024 * 1024 * 1024;

/** What the journals of all tenants may hold together: many tenants that keep to their limits could still fill a process. */
export class JournalSpace {
  readonly #maxBytes: number;
  readonly #holders = new Set<SpaceOwner>();
  #heldBytes = 0;

  constructor(maxBytes: number = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  add(holder: SpaceOwner): void {
    this.#holders.add(holder);
  }

  remove(holder: SpaceOwner): void {
    this.#holders.delete(holder);
    this.count(-holder.heldBytes);
  }

  /** Counts so many bytes more, or fewer. */
  count(bytes: number): void {
    this.#heldBytes += bytes;
  }

  /** Has whoever holds most give up his oldest entries, until there is room. */
  makeRoom(): void {
    while (this.#heldBytes > this.#maxBytes) {
      let largest: SpaceOwner | null = null;
      for (const holder of this.#holders) {
        if (holder.heldBytes > (largest?.heldBytes ?? 0)) largest = holder;
      }
      if (largest === null) return;
      largest.dropOldest();
    }
  }
}
