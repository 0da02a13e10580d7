import type { Fact } from './facts.ts';
import type { CheckParts } from './parts/check-parts.ts';

/** The kinds of check the design knows. A kind says how the evidence comes about, not what is judged. */
export const checkKinds = [
  'example',
  'property',
  'metamorphic',
  'upstream',
  'timing',
  'concurrency',
] as const;
export type CheckKind = (typeof checkKinds)[number];

/**
 * One check: a plain value. It arranges, acts and judges with its parts and knows nothing of the runner.
 * It passes by returning, fails by a Violation, and anything else it throws is a fault of ours (harness-error).
 */
export interface Check {
  /** Stable and pinned by a snapshot: `area.subject.rule`. */
  readonly id: string;
  /** What holds when the check passes, as one sentence. */
  readonly title: string;
  /** Register ids that a pass proves. The first one gives the check its area and its level. */
  readonly requirements: readonly [string, ...string[]];
  readonly kind: CheckKind;
  /** Facts without which the check cannot be judged. `keys.K1` is implied. */
  readonly needs: readonly Fact[];
  /** `jump`: moves the stack's clock and therefore has the whole stack alone. */
  readonly clock?: 'jump';
  /** Lanes that it wants at once, for work in lockstep; one when left out, and fewer where there are not so many. */
  readonly tenants?: { readonly quick: number; readonly full: number };
  /** Speaks below HTTP, so a proxy in front of the gateway would answer in its place: proved by source mutants only. */
  readonly raw?: true;
  /** Extra time beyond the default bound on one check, for those that wait for a deployment's own time limits. */
  readonly extraMs?: (profile: { readonly answerMs: number; readonly headerTimeoutMs: number }) => number;
  readonly run: (parts: CheckParts) => Promise<void>;
}

/** Gives a literal the type of a check, and refuses at load what the engine could not select by. */
export function defineCheck(check: Check): Check {
  if (!/^[a-z0-9]+(?:[.-][a-z0-9]+)+$/.test(check.id))
    throw new Error(`check id ${check.id} is not of the form area.subject.rule`);
  return check;
}
