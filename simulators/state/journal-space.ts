/** An owner of part of the space: the journal of one tenant. */
export interface SpaceOwner {
  readonly heldBytes: number;
  dropOldest(): void;
}

const defaultMaxBytes = 1024 * 1024 * 1024;

/** The space that all journals share. Many tenants within their own limits could still fill the process. */
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

  /** Adds the bytes to the total; a negative number subtracts. */
  count(bytes: number): void {
    this.#heldBytes += bytes;
  }

  /** Drops the oldest entries of the largest journal until the total is within the limit. */
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
