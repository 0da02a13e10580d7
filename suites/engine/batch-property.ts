import fc from 'fast-check';
import { asTuples, factsOf, type PropertyParts } from './property.ts';

/** A property whose cases are tried together, because what costs time (moving a clock) can be shared. */
export interface BatchPropertyRun<T> extends PropertyParts<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  /** Tries all of them and says for each what was wrong with it; null when nothing was. */
  readonly tryAll: (values: readonly T[]) => Promise<readonly (Error | null)[]>;
  /** Shrinking is given up after so long; the smallest case until then counts, ms. */
  readonly shrinkMs: number;
}

/**
 * Tries all cases together, and then a failing one by itself, smaller and smaller.
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
  // Examples are as small as they are; what was drawn can be shrunk.
  const place = failing.find((each) => each >= run.examples.length) ?? failing[0];
  if (place === undefined) {
    report({ seed, path: null, runs: values.length, shrinks: 0, input: null });
    return;
  }
  await tryAlone(run, String(place), false);
  // By itself it holds: what was seen is all there is to tell.
  report({
    seed,
    path: String(place),
    runs: values.length,
    shrinks: 0,
    input: fc.stringify(values[place]),
  });
  throw errors[place];
}

/** The cases in the order in which a path counts them. */
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

/** Tries the case at the path, smaller and smaller unless it is a replay. */
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
