import type fc from 'fast-check';
import { deriveSeed } from '../seed.ts';
import { runBatchProperty } from './batch-property.ts';
import { KitJudge } from './kit-judge.ts';
import type { KitParts } from './kit-parts.ts';
import { type PropertyOptions, type PropertyParts, runProperty } from './property.ts';

/** What a kit tries generated cases with. */
export abstract class KitCases extends KitJudge {
  readonly #how: Pick<KitParts, 'seed' | 'checkId' | 'path' | 'size' | 'signal'>;

  constructor(how: Pick<KitParts, 'seed' | 'checkId' | 'path' | 'size' | 'signal'>) {
    super();
    this.#how = how;
  }

  get full(): boolean {
    return this.#how.size === 'full';
  }
  get signal(): AbortSignal {
    return this.#how.signal;
  }

  countCase(): void {
    this.record.cases += 1;
  }

  /** Runs a property over generated cases, seeded by the run and this check. */
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
        this.countCase();
        await holds(value);
      },
      size: this.#how.size,
      // Examples come beside the drawn cases, not in their place.
      runs: parts.runs + parts.examples.length,
    });
  }

  /** The same for cases that are tried together: see {@link runBatchProperty}. */
  async forAllTogether<T>(
    arbitrary: fc.Arbitrary<T>,
    tryAll: (values: readonly T[]) => Promise<readonly (Error | null)[]>,
    options: PropertyOptions<T> & { readonly shrinkMs: number },
  ): Promise<void> {
    await runBatchProperty({
      ...this.#propertyParts(options),
      arbitrary,
      tryAll,
      shrinkMs: options.shrinkMs,
    });
  }

  #propertyParts<T>({ quick = 10, full = 100, examples = [] }: PropertyOptions<T>): PropertyParts<T> {
    const { seed, checkId, path } = this.#how;
    return {
      seed: deriveSeed(seed, checkId),
      path,
      runs: this.full ? full : quick,
      examples,
      report: (facts) => {
        this.record.property = facts;
      },
    };
  }
}
