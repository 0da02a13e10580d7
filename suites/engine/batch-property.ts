import fc from 'fast-check';
import { Violation } from '../rules/violation.ts';
import { DistinctViolations } from './distinct-violations.ts';
import { asTuples, factsOf, type PropertyParts } from './property.ts';
import { chooseWidest, drawnForOne, type Reach } from './widest.ts';

/** A property whose cases run together, because they share a costly step such as moving a clock. */
export interface BatchPropertyRun<T> extends PropertyParts<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  /** Tries all values and returns one entry for each: the error that it caused, or null when it held. */
  readonly tryAll: (values: readonly T[]) => Promise<readonly (Error | null)[]>;
  /** Shrinking stops after this time, and the smallest failing case found by then is reported, ms. */
  readonly shrinkMs: number;
  /** Chooses among more cases those that reach most cells. Absent: the first cases run. */
  readonly reachOf?: (value: T) => Reach;
}

/** A case with its place in the order in which a fast-check path counts them. */
interface Drawn<T> {
  readonly place: number;
  readonly value: T;
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
  const cases = await casesOf(run);
  const errors = await run.tryAll(cases.map(({ value }) => value));
  const failing = errors.flatMap((error, index) => (error === null ? [] : [index]));
  // A failing random value is preferred, because examples cannot be shrunk.
  const shrunk = failing.find((index) => index >= run.examples.length) ?? failing[0];
  tellOthers(errors, shrunk);
  const failed = shrunk === undefined ? undefined : cases[shrunk];
  if (shrunk === undefined || failed === undefined) {
    report({ seed, path: null, runs: cases.length, shrinks: 0, input: null });
    return;
  }
  const failedPath = String(failed.place);
  await tryAlone(run, failedPath, false);
  // The case passes alone, so only the failure from the batch can be reported.
  report({ seed, path: failedPath, runs: cases.length, shrinks: 0, input: fc.stringify(failed.value) });
  throw errors[shrunk];
}

/** Reports one violation of each kind besides the one that is shrunk, which must not hide them. */
function tellOthers(errors: readonly (Error | null)[], shrunk: number | undefined): void {
  const found = new DistinctViolations();
  for (const [place, error] of errors.entries()) if (error instanceof Violation) found.add(place, error);
  const thrown = shrunk === undefined ? null : errors[shrunk];
  found.flagExcept(thrown instanceof Violation ? thrown : null);
}

/** The cases to try: the examples, then drawn ones. */
async function casesOf<T>(run: BatchPropertyRun<T>): Promise<Drawn<T>[]> {
  const { reachOf, runs, examples } = run;
  const drawn: Drawn<T>[] = [];
  await fc.check(
    fc.asyncProperty(run.arbitrary, async (value) => {
      drawn.push({ place: drawn.length, value });
    }),
    {
      seed: run.seed,
      numRuns: (reachOf === undefined ? runs : runs * drawnForOne) + examples.length,
      examples: asTuples(examples),
    },
  );
  if (reachOf === undefined) return drawn;
  const first = drawn.slice(0, examples.length);
  const reachOfCase = ({ value }: Drawn<T>): Reach => reachOf(value);
  return [...first, ...chooseWidest(drawn.slice(examples.length), runs, reachOfCase, first)];
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
