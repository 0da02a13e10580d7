import fc from 'fast-check';
import { failureStatuses } from '../oracle/upstream-failures.ts';
import { type BodyForm, bodyFormNames } from './upstream-body.ts';

export interface UpstreamFailureCase {
  /** A model whose upstream is scripted to fail. */
  readonly model: string;
  readonly status: number;
  readonly form: BodyForm;
  readonly stream: boolean;
}

export function upstreamFailureCases(models: readonly string[]): fc.Arbitrary<UpstreamFailureCase> {
  return fc
    .record({
      model: fc.constantFrom(...models),
      status: fc.constantFrom(...failureStatuses),
      form: fc.constantFrom(...bodyFormNames),
      stream: fc.boolean(),
    })
    .map((failure) => ({ ...failure, stream: failure.stream && mayStream(failure.status) }));
}

/**
 * Every status in the form of every dialect, and every other body at least once; alternately plain and
 * streamed.
 */
export function upstreamFailureExamples(models: readonly string[]): UpstreamFailureCase[] {
  const turn = (index: number, status: number): boolean => index % 2 === 1 && mayStream(status);
  const native = models.flatMap((model, at) =>
    failureStatuses.map(
      (status, index): UpstreamFailureCase => ({
        model,
        status,
        form: 'native error',
        stream: turn(index + at, status),
      }),
    ),
  );
  const others = bodyFormNames.filter((form) => form !== 'native error');
  const rest = failureStatuses.map(
    (status, index): UpstreamFailureCase => ({
      model: models[index % models.length] ?? '',
      status,
      form: others[index % others.length] ?? 'text',
      stream: turn(index, status),
    }),
  );
  return [...native, ...rest];
}

/** The same failures, distributed over these models: when all speak one dialect, each failure is tried on one of them. */
export function spreadOver(
  models: readonly string[],
  failures: readonly UpstreamFailureCase[],
): UpstreamFailureCase[] {
  return failures.map((failure, place) => ({ ...failure, model: models[place % models.length] ?? '' }));
}

/** A stream may have begun after an upstream's 200, and then the failure has another form (reading B-35). */
function mayStream(status: number): boolean {
  return status !== 200;
}
