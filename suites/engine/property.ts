import fc from 'fast-check';

export interface PropertyOptions<T = unknown> {
  /** Number of generated cases in a quick and in a full run. */
  readonly quick?: number;
  readonly full?: number;
  /** Cases that are always tried first. */
  readonly examples?: readonly T[];
}

/** How a property ended: what a replay needs, and the shrunk case of a failure. */
export interface PropertyFacts {
  readonly seed: number;
  readonly path: string | null;
  readonly runs: number;
  readonly shrinks: number;
  readonly input: string | null;
}

/** What every property needs, however its cases are tried. */
export interface PropertyParts<T> {
  readonly seed: number;
  /** The fast-check path to replay, when the user gave one. */
  readonly path: string | null;
  readonly runs: number;
  readonly examples: readonly T[];
  readonly report: (facts: PropertyFacts) => void;
}

export interface PropertyRun<T> extends PropertyParts<unknown> {
  readonly arbitrary: fc.Arbitrary<T>;
  readonly holds: (value: T) => Promise<void>;
  readonly size: keyof typeof budgets;
}

/**
 * The time limit of a whole property with its shrinking, ms. What was found by then counts. It is for deployments and
 * machines that are many times slower than usual: a quick property takes some seconds.
 */
const budgets = { smoke: 180_000, quick: 180_000, full: 480_000 } as const;

/**
 * Runs a property over HTTP. The first failing case is shrunk and its error rethrown.
 * A replay (`path` given) runs the one recorded case and does not shrink again.
 * @throws the error of the smallest failing case; Error when too few cases ran to mean anything.
 */
export async function runProperty<T>(run: PropertyRun<T>): Promise<void> {
  const budgetMs = budgets[run.size];
  const replay = run.path === null ? {} : { path: run.path, endOnFailure: true };
  const details = await fc.check(fc.asyncProperty(run.arbitrary, run.holds), {
    ...replay,
    seed: run.seed,
    numRuns: run.path === null ? run.runs : 1,
    // A replay needs the examples too, because a path counts them.
    examples: asTuples(run.examples as T[]),
    interruptAfterTimeLimit: budgetMs,
  });
  run.report(factsOf(details));
  if (details.failed) {
    if (details.errorInstance instanceof Error) throw details.errorInstance;
    throw new Error(`the property was interrupted after ${details.numRuns} cases without a result`);
  }
  if (run.path === null && details.interrupted && details.numRuns < run.runs / 2) {
    throw new Error(`only ${details.numRuns} of ${run.runs} cases ran within ${budgetMs} ms`);
  }
}

/** What is reported about a run of fast-check. */
export function factsOf<T>(details: fc.RunDetails<[T]>): PropertyFacts {
  return {
    seed: details.seed,
    path: details.counterexamplePath,
    runs: details.numRuns,
    shrinks: details.numShrinks,
    input: details.counterexample ? fc.stringify(details.counterexample[0]) : null,
  };
}

/** Examples as fast-check takes them: each one is the argument list of a property with one argument. */
export function asTuples<T>(examples: readonly T[]): [T][] {
  return examples.map((example) => [example]);
}
