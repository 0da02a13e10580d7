import type fc from 'fast-check';
import type { Size } from 'gatecheck-reports/report';
import { deriveSeed } from '../../values/seed.ts';
import { type BatchPropertyRun, runBatchProperty } from '../batch-property.ts';
import { type PropertyOptions, type PropertyParts, runProperty } from '../property.ts';
import type { CheckRecord } from './check-record.ts';

/** The number of cases of a property in a smoke run, if the property does not state it. */
const smokeRuns = 2;

/** What determines which cases are drawn. */
export interface CaseSettings {
  readonly checkId: string;
  readonly seed: number;
  readonly size: Size;
  /** fast-check path to replay, when the user gave one. */
  readonly path: string | null;
  readonly signal: AbortSignal;
}

/** The cases of one check: counted one by one, or generated, seeded by the run and the check. */
export class Cases {
  readonly #settings: CaseSettings;
  readonly #record: CheckRecord;

  constructor(settings: CaseSettings, record: CheckRecord) {
    this.#settings = settings;
    this.#record = record;
  }

  /** Whether this is a full run. */
  get full(): boolean {
    return this.#settings.size === 'full';
  }

  /** Aborted when the check runs out of time, or the user interrupts. */
  get signal(): AbortSignal {
    return this.#settings.signal;
  }

  /** Counts one hand-written case. Generated cases count themselves. */
  count(): void {
    this.#record.cases += 1;
  }

  /** Records drawn values for requests that differ from run to run, so that a replay can be compared. */
  noteDrawn(value: unknown): void {
    this.#record.noteDrawn(value);
  }

  /** Records the cells that the histories of the check can reach but did not. */
  leaveUndrawn(cells: readonly string[]): void {
    this.#record.undrawn = cells;
  }

  /** Runs a property over generated cases. */
  async forAll<T>(
    arbitrary: fc.Arbitrary<T>,
    holds: (value: T) => Promise<void>,
    options: PropertyOptions = {},
  ): Promise<void> {
    const parts = this.#propertyParts(options);
    await runProperty({
      ...parts,
      arbitrary,
      holds: async (value) => {
        this.signal.throwIfAborted();
        this.count();
        await holds(value);
      },
      size: this.#settings.size,
      // The examples run in addition to the drawn cases.
      runs: parts.runs + parts.examples.length,
    });
  }

  /** Runs a property whose cases are tried together: see {@link runBatchProperty}. */
  async forAllTogether<T>(
    arbitrary: fc.Arbitrary<T>,
    tryAll: (values: readonly T[]) => Promise<readonly (Error | null)[]>,
    options: PropertyOptions<T> & Pick<BatchPropertyRun<T>, 'shrinkMs' | 'reachOf'>,
  ): Promise<void> {
    const { shrinkMs, reachOf } = options;
    const guide = reachOf === undefined ? {} : { reachOf };
    await runBatchProperty({ ...this.#propertyParts(options), arbitrary, tryAll, shrinkMs, ...guide });
  }

  #howMany<T>({
    quick = 10,
    full = 100,
    smoke = smokeRuns,
    examples = [],
  }: PropertyOptions<T>): Pick<PropertyParts<T>, 'runs' | 'examples'> {
    if (this.#settings.size !== 'smoke') return { runs: this.full ? full : quick, examples };
    return { runs: Math.min(quick, smoke), examples: examples.slice(0, 1) };
  }

  #propertyParts<T>(options: PropertyOptions<T>): PropertyParts<T> {
    const { seed, checkId, path } = this.#settings;
    return {
      seed: deriveSeed(seed, checkId),
      path,
      ...this.#howMany(options),
      report: (facts) => {
        this.#record.property = facts;
      },
    };
  }
}
