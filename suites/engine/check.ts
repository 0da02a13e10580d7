import type { Dialect } from '../profile/dialects.ts';
import { areaFactsOf, type Fact } from './facts.ts';
import type { CheckParts } from './parts/check-parts.ts';

/** The kinds of checks, by how they obtain evidence. */
export const checkKinds = [
  'example',
  'property',
  'metamorphic',
  'upstream',
  'timing',
  'concurrency',
  'passive',
] as const;
export type CheckKind = (typeof checkKinds)[number];

/** The facts of a check without its code: enough to list, select and plan checks. */
export interface CheckFacts {
  /** Stable id, pinned by a snapshot: `area.subject.rule`. */
  readonly id: string;
  /** The statement that a pass proves, as one sentence. */
  readonly title: string;
  /** Register ids that a pass proves. The first one determines the area and the level of the check. */
  readonly requirements: readonly [string, ...string[]];
  readonly kind: CheckKind;
  /** Facts without which the check cannot be judged. `keys.K1` is implied. */
  readonly needs: readonly Fact[];
  /** Facts of which one is enough. */
  readonly oneOf?: readonly Fact[];
  /** It judges only chat models whose upstreams speak one of these dialects. */
  readonly dialects?: readonly Dialect[];
  /** It goes by the chat protocols that are there, so it applies to a deployment without chat completions, too. */
  readonly anyProtocol?: true;
  /**
   * `jump`: the check moves the stack's clock. It runs only with other such checks, and the clock moves when all of them
   * wait. `alone`: no other check may run at the same time.
   */
  readonly clock?: 'jump' | 'alone';
  /**
   * How many tenants the check uses at once, for work in lockstep. The default is one; it gets fewer where fewer
   * exist.
   */
  readonly tenants?: { readonly quick: number; readonly full: number };
}

/**
 * One check: a plain value. It arranges, acts and judges with its parts, and knows nothing of the runner. It
 * passes by returning and fails by throwing a Violation. Anything else that it throws is our own fault
 * (harness-error).
 */
export interface Check extends CheckFacts {
  /**
   * The check speaks below HTTP. A proxy in front of the gateway would answer in its place, so only source mutants
   * prove it.
   */
  readonly raw?: true;
  /** Time beyond the default limit, for checks that wait for a deployment's own time limits. */
  readonly extraMs?: (profile: { readonly answerMs: number; readonly headerTimeoutMs: number }) => number;
  /**
   * For a check that judges the exchanges of others: the ids of some checks that send them. They run when it is selected
   * alone.
   */
  readonly senders?: readonly [string, ...string[]];
  readonly run: (parts: CheckParts) => Promise<void>;
}

/** The execution order of a check: first those without clock moves, then those with moves, last those that run alone. */
export function clockRank({ clock }: Pick<CheckFacts, 'clock'>): number {
  return { none: 0, jump: 1, alone: 2 }[clock ?? 'none'];
}

/**
 * Gives a literal the type of a check.
 * @throws Error at load time for an id of the wrong form
 */
export function defineCheck(check: Check): Check {
  if (!/^[a-z0-9]+(?:[.-][a-z0-9]+)+$/.test(check.id))
    throw new Error(`check id ${check.id} is not of the form area.subject.rule`);
  // Checks of this folder go by the protocols that are there, unless they name one.
  const { anyProtocol = check.id.startsWith('faces.') ? true : undefined } = check;
  const about = { ...check, ...(anyProtocol && { anyProtocol }) };
  const needs = new Set([...check.needs, ...areaFactsOf(about)]);
  return { ...check, needs: [...needs] };
}
