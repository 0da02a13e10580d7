import fc from 'fast-check';
import { failureStatuses } from '../oracle/upstream-failures.ts';
import { type BodyForm, bodyFormNames } from './upstream-body.ts';

export interface UpstreamFailureCase {
  readonly status: number;
  readonly form: BodyForm;
  readonly stream: boolean;
}

export const upstreamFailureCases: fc.Arbitrary<UpstreamFailureCase> = fc
  .record({
    status: fc.constantFrom(...failureStatuses),
    form: fc.constantFrom(...bodyFormNames),
    stream: fc.boolean(),
  })
  .map((failure) => ({ ...failure, stream: failure.stream && mayStream(failure.status) }));

/** Every status and every form of body at least once, plain and streamed in turn. */
export const upstreamFailureExamples: readonly UpstreamFailureCase[] = failureStatuses.map(
  (status, index) => ({
    status,
    form: bodyFormNames[index % bodyFormNames.length] ?? 'text',
    stream: index % 2 === 1 && mayStream(status),
  }),
);

/** After a 200 of the upstream a stream may have begun, and its failure then has another form (reading B-35). */
function mayStream(status: number): boolean {
  return status !== 200;
}
