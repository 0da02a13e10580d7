import fc from 'fast-check';
import { Violation } from '../rules/violation.ts';
import { DistinctViolations, isSameFinding } from './distinct-violations.ts';

export interface PropertyOptions<T = unknown> {
  /** Number of generated cases in a quick and in a full run. */
  readonly quick?: number;
  readonly full?: number;
  /** The number in a smoke run, no more than in a quick one. */
  readonly smoke?: number;
  /** Cases that are always tried first. */
  readonly examples?: readonly T[];
}

/** How a property ended: what a replay needs, and the shrunk failing case. */
export interface PropertyFacts {
  readonly seed: number;
  readonly path: string | null;
  readonly runs: number;
  readonly shrinks: number;
  readonly input: string | null;
}

/** What every property needs, whether its cases are tried one by one or together. */
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
 * The time limit of a whole property with its shrinking, ms. Findings up to then count. A quick property takes some seconds,
 * so this leaves room for much slower deployments and machines.
 */
const budgets = { smoke: 180_000, quick: 180_000, full: 480_000 } as const;

/** How long the other cases are tried after a violation, ms, so that it does not hide one of another kind. */
const goOnMs = { smoke: 30_000, quick: 30_000, full: 120_000 } as const;

/**
 * Runs a property over HTTP. A violation does not end it: the other cases are tried, and one of each kind is reported. The
 * first is shrunk and rethrown. A replay (`path` given) runs the one recorded case and does not shrink again.
 * @throws the error of the smallest failing case; Error when too few cases ran to mean anything.
 */
export async function runProperty<T>(run: PropertyRun<T>): Promise<void> {
  if (run.path !== null) return await runPath(run, run.path, { endOnFailure: true });
  const found = new DistinctViolations();
  const start = performance.now();
  let place = -1;
  const budgetMs = budgets[run.size];
  const details = await fc.check(
    fc.asyncProperty(run.arbitrary, async (value) => {
      place += 1;
      if (found.first !== null && performance.now() - start > goOnMs[run.size]) return;
      await found.from(place, () => run.holds(value));
    }),
    {
      seed: run.seed,
      numRuns: run.runs,
      examples: asTuples(run.examples as T[]),
      interruptAfterTimeLimit: budgetMs,
      // An error that is not a violation ends the check; shrinking it would not help.
      endOnFailure: true,
    },
  );
  run.report(factsOf(details));
  if (details.failed) {
    found.flagExcept(null);
    if (details.errorInstance instanceof Error) throw details.errorInstance;
    throw new Error(`the property was interrupted after ${details.numRuns} cases without a result`);
  }
  const { first } = found;
  if (first !== null) {
    found.flagExcept(first.error);
    const left = Math.max(budgetMs - (performance.now() - start), 1_000);
    await runPath(run, String(first.place), { interruptAfterTimeLimit: left }, first.error);
    // The case holds when tried alone, so only the first failure can be reported.
    run.report({ ...factsOf(details), path: String(first.place), input: null });
    throw first.error;
  }
  if (details.interrupted && details.numRuns < run.runs / 2)
    throw new Error(`only ${details.numRuns} of ${run.runs} cases ran within ${budgetMs} ms`);
}

/** Runs the case of a path, and shrinks it by violations that are like the one given. */
async function runPath<T>(
  run: PropertyRun<T>,
  path: string,
  limits: Pick<fc.Parameters<[T]>, 'endOnFailure' | 'interruptAfterTimeLimit'>,
  like?: Violation,
): Promise<void> {
  const details = await fc.check(
    fc.asyncProperty(run.arbitrary, async (value) => {
      try {
        await run.holds(value);
      } catch (error) {
        if (like === undefined || !(error instanceof Violation) || isSameFinding(error.finding, like.finding))
          throw error;
      }
    }),
    // A replay needs the examples too, because a path counts them.
    { ...limits, seed: run.seed, path, numRuns: 1, examples: asTuples(run.examples as T[]) },
  );
  if (like === undefined || details.failed) run.report(factsOf(details));
  if (!details.failed) return;
  if (details.errorInstance instanceof Error) throw details.errorInstance;
  throw new Error('the case was interrupted without a result');
}

/** The facts of a fast-check run that are reported. */
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
