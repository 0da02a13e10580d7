import fc from 'fast-check';

/** A counted call: served, streamed, served at the second attempt, or abandoned. */
export interface CountedStep {
  readonly do: 'call' | 'stream' | 'retry' | 'abort';
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
}

/** What can happen to an account: a grant, or a call with one of several endings. */
export type LedgerStep =
  | CountedStep
  | { readonly do: 'fail' | 'refused' }
  | { readonly do: 'grant'; readonly credits: string };

const tokens = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 200_000 }));

const counted: fc.Arbitrary<CountedStep> = fc
  .record({
    do: fc.constantFrom('call', 'call', 'stream', 'retry', 'abort'),
    promptTokens: tokens,
    completionTokens: tokens,
    share: fc.integer({ min: 0, max: 4 }),
  })
  .map(({ share, ...step }) => ({ ...step, cachedTokens: Math.floor((step.promptTokens * share) / 4) }));

const granted: fc.Arbitrary<LedgerStep> = fc.integer({ min: 1, max: 2_000_000 }).map((millionths) => ({
  do: 'grant',
  credits: `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`,
}));

/** Grants are from cents to dollars, so some accounts run out and get credit again. */
export const ledgerSteps: fc.Arbitrary<LedgerStep> = fc.oneof(
  { weight: 6, arbitrary: counted },
  { weight: 2, arbitrary: granted },
  { weight: 2, arbitrary: fc.constantFrom<LedgerStep>({ do: 'fail' }, { do: 'refused' }) },
);
