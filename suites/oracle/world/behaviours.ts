import type { Outcome } from '../breaker.ts';
import type { ErrorCode } from '../error-table.ts';
import { brokenOffCodes, codesFor } from '../upstream-failures.ts';

/** The behaviour of an upstream and of the caller during a call. */
export const behaviours = [
  'good',
  'server',
  'busy',
  'asks',
  'reset',
  'garbage',
  'policy',
  'too-long',
  'odd-status',
  'breaks',
  'leaves',
  'deserts',
  'left-again',
] as const;
export type Behaviour = (typeof behaviours)[number];

interface BehaviourFacts {
  /** The outcome that each upstream request of such a call counts as for its channel (reading B-108). */
  readonly outcome: Outcome;
  /** The codes that the caller may get; null where the call is served, or its caller has left. */
  readonly codes: readonly ErrorCode[] | null;
  /** The rule that such a code proves. */
  readonly requirement: string;
  /** Whether only a stream can show it. */
  readonly isStreamed?: true;
  /** Whether the caller leaves before its answer. */
  readonly isLeft?: true;
}

const facts: Readonly<Record<Behaviour, BehaviourFacts>> = {
  good: { outcome: 'success', codes: null, requirement: 'ERR-001' },
  server: { outcome: 'failure', codes: codesFor(500), requirement: 'ERR-029' },
  busy: { outcome: 'failure', codes: codesFor(503), requirement: 'ERR-022' },
  // Its upstream also asks to be left alone for a while.
  asks: { outcome: 'failure', codes: codesFor(429), requirement: 'ERR-022' },
  reset: { outcome: 'failure', codes: brokenOffCodes, requirement: 'ERR-029' },
  garbage: { outcome: 'failure', codes: codesFor(200), requirement: 'ERR-029' },
  policy: { outcome: 'ignored', codes: ['content_filter'], requirement: 'ERR-027' },
  'too-long': { outcome: 'ignored', codes: ['context_too_long'], requirement: 'ROUTE-014' },
  'odd-status': { outcome: 'ignored', codes: ['upstream_error'], requirement: 'ROUTE-008' },
  // Its status is 200, and the stream judges decide about its end.
  breaks: { outcome: 'unsure', codes: null, requirement: 'SSE-016', isStreamed: true },
  // The deployment decides whether to read it to its end (reading B-36).
  leaves: { outcome: 'unsure', codes: null, requirement: 'LIM-004', isLeft: true },
  // The same, and its upstream never answers.
  deserts: { outcome: 'unsure', codes: null, requirement: 'LIM-004', isLeft: true },
  // Its upstream fails at first, and the caller leaves the second attempt. A deployment may make none (reading B-106).
  'left-again': { outcome: 'unsure', codes: codesFor(500), requirement: 'ERR-029', isLeft: true },
};

export function factsOf(behaviour: Behaviour): BehaviourFacts {
  return facts[behaviour];
}

/** Whether it counts against the channel, or may. */
export function mayFail(behaviour: Behaviour): boolean {
  return facts[behaviour].outcome === 'failure' || behaviour === 'breaks' || behaviour === 'left-again';
}
