/** What must be done to undo the changes since a point, in the order of the changes. */
export class Journal {
  #undo: (() => void)[] = [];

  get length(): number {
    return this.#undo.length;
  }

  add(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Undoes all changes behind this point. */
  backTo(point: number): void {
    for (const undo of this.#undo.splice(point).reverse()) undo();
  }

  /** The changes are there to stay. */
  forget(): void {
    this.#undo = [];
  }
}

/** The rows of a table by their keys. Rows are never changed in place. */
export class Rows<Row> {
  readonly #journal: Journal;
  readonly #all = new Map<string, Row>();
  #changes = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get(key: string): Row | undefined {
    return this.#all.get(key);
  }

  has(key: string): boolean {
    return this.#all.has(key);
  }

  get size(): number {
    return this.#all.size;
  }

  /** How often anything was changed, or undone. */
  get changes(): number {
    return this.#changes;
  }

  keys(): string[] {
    return [...this.#all.keys()];
  }

  all(): Row[] {
    return [...this.#all.values()];
  }

  set(key: string, row: Row): void {
    const before = this.#all.get(key);
    this.#journal.add(() => {
      this.#changes += 1;
      if (before === undefined) this.#all.delete(key);
      else this.#all.set(key, before);
    });
    this.#changes += 1;
    this.#all.set(key, row);
  }

  /** Changes some columns of a row that exists. */
  change(key: string, changes: Partial<Row>): void {
    const before = this.#all.get(key);
    if (before !== undefined) this.set(key, { ...before, ...changes });
  }

  /** False if there was none. */
  delete(key: string): boolean {
    const before = this.#all.get(key);
    if (before === undefined) return false;
    this.#journal.add(() => {
      this.#changes += 1;
      this.#all.set(key, before);
    });
    this.#changes += 1;
    return this.#all.delete(key);
  }
}
