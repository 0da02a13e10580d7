import { type Cell, cellKey } from './fuzz-case.ts';

/** Counts how often each cell was sent. */
export class Coverage {
  readonly #counts: Map<string, number>;
  readonly #cells: readonly Cell[];

  constructor(cells: readonly Cell[]) {
    this.#cells = cells;
    this.#counts = new Map(cells.map((cell) => [cellKey(cell), 0]));
  }

  add(cell: Cell): void {
    this.#counts.set(cellKey(cell), (this.#counts.get(cellKey(cell)) ?? 0) + 1);
  }

  get covered(): number {
    return this.#cells.filter((cell) => this.#countOf(cell) > 0).length;
  }

  /** One row for each field: its possible kinds of damage, the kinds that were sent, and the number of requests. */
  rows(): readonly CoverageRow[] {
    const byField = Map.groupBy(this.#cells, ({ endpoint, field }) => `${endpoint} | ${field}`);
    return [...byField.values()].map((cells) => {
      const [first] = cells as [Cell, ...Cell[]];
      const open = cells.filter((cell) => this.#countOf(cell) === 0);
      return {
        endpoint: first.endpoint,
        field: first.field,
        kinds: cells.length,
        covered: cells.length - open.length,
        requests: cells.reduce((sum, cell) => sum + this.#countOf(cell), 0),
        open: open.map(({ kind }) => kind),
      };
    });
  }

  #countOf(cell: Cell): number {
    return this.#counts.get(cellKey(cell)) ?? 0;
  }
}

export interface CoverageRow {
  readonly endpoint: string;
  readonly field: string;
  readonly kinds: number;
  readonly covered: number;
  readonly requests: number;
  /** The kinds that were not sent. */
  readonly open: readonly string[];
}
