import fc from 'fast-check';
import { Violation } from '../rules/violation.ts';
import { DistinctViolations } from './distinct-violations.ts';
import { asTuples, factsOf, type PropertyParts } from './property.ts';

/** A property whose cases run together, because they share a costly step such as moving a clock. */
export interface BatchPropertyRun<T> extends PropertyParts<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  /** Tries all values and returns one entry for each: the error that it caused, or null when it held. */
  readonly tryAll: (values: readonly T[]) => Promise<readonly (Error | null)[]>;
  /** Shrinking stops after this time, and the smallest failing case found by then is reported, ms. */
  readonly shrinkMs: number;
}

/**
 * Runs all cases together, then shrinks one failing case alone.
 * @throws the error of the smallest failing case.
 */
export async function runBatchProperty<T>(run: BatchPropertyRun<T>): Promise<void> {
  const { seed, path, report } = run;
  if (path !== null) {
    await tryAlone(run, path, true);
    return;
  }
  const values = await drawn(run);
  const errors = await run.tryAll(values);
  const failing = errors.flatMap((error, place) => (error === null ? [] : [place]));
  // A failing random value is preferred, because examples cannot be shrunk.
  const place = failing.find((each) => each >= run.examples.length) ?? failing[0];
  tellOthers(errors, place);
  if (place === undefined) {
    report({ seed, path: null, runs: values.length, shrinks: 0, input: null });
    return;
  }
  await tryAlone(run, String(place), false);
  // The case passes alone, so only the failure from the batch can be reported.
  report({
    seed,
    path: String(place),
    runs: values.length,
    shrinks: 0,
    input: fc.stringify(values[place]),
  });
  throw errors[place];
}

/** Reports one violation of each kind besides the one that is shrunk, which must not hide them. */
function tellOthers(errors: readonly (Error | null)[], shrunk: number | undefined): void {
  const found = new DistinctViolations();
  for (const [place, error] of errors.entries()) if (error instanceof Violation) found.add(place, error);
  const thrown = shrunk === undefined ? null : errors[shrunk];
  found.flagExcept(thrown instanceof Violation ? thrown : null);
}

/** The cases, in the order in which a fast-check path counts them. */
async function drawn<T>(run: BatchPropertyRun<T>): Promise<T[]> {
  const values: T[] = [];
  await fc.check(
    fc.asyncProperty(run.arbitrary, async (value) => {
      values.push(value);
    }),
    { seed: run.seed, numRuns: run.runs + run.examples.length, examples: asTuples(run.examples) },
  );
  return values;
}

/** Tries the case at the path alone, and shrinks it unless this is a replay. */
async function tryAlone<T>(run: BatchPropertyRun<T>, path: string, replay: boolean): Promise<void> {
  const details = await fc.check(
    fc.asyncProperty(run.arbitrary, async (value) => {
      const [error] = await run.tryAll([value]);
      if (error) throw error;
    }),
    {
      seed: run.seed,
      path,
      numRuns: 1,
      examples: asTuples(run.examples),
      endOnFailure: replay,
      interruptAfterTimeLimit: run.shrinkMs,
    },
  );
  run.report(factsOf(details));
  if (details.failed && details.errorInstance instanceof Error) throw details.errorInstance;
}
