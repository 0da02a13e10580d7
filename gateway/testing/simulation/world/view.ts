import type { Tables } from '../store/tables.ts';
import type { CallerRequest } from './caller.ts';
import type { UpstreamCall } from './calls.ts';
import type { Seen } from './exchange.ts';
import type { BreakerLine } from './gateway.ts';
import type { Job } from './jobs.ts';
import type { Receipt } from './receivers.ts';
import type { Scenario } from './scenario.ts';

/** What invariants may look at: everything that stands outside of the processes. */
export interface View {
  readonly scenario: Scenario;
  readonly tables: Tables;
  readonly nowMs: number;
  readonly calls: { readonly open: ReadonlySet<UpstreamCall>; answering(text: string): UpstreamCall | null };
  /** Every request that was ever asked, by its id. */
  readonly requests: ReadonlyMap<string, CallerRequest>;
  readonly jobs: ReadonlyMap<string, Job>;
  /** When processes died, or seemed to. */
  readonly blowsMs: readonly number[];
  /** Whether any process has only seemed to die so far. */
  readonly hasSevered: boolean;
  /** When a process that lives seemed to be gone for the last time: now, while it does; null if it never did. */
  seemedGoneMs(process: string): number | null;
}

/** A rule that holds at every time. Each method may report violations, by throwing. */
export interface Invariant {
  readonly name: string;
  /** The tables that decide what `committed` finds; it is not asked after commits that left them alone. */
  reads?(tables: Tables): readonly { readonly changes: number }[];
  /** After each commit. */
  committed?(view: View): void;
  began?(call: UpstreamCall, view: View): void;
  ended?(call: UpstreamCall, view: View): void;
  /** The last byte of an answer is about to be sent. */
  answered?(request: CallerRequest, seen: Seen, view: View): void;
  received?(receipt: Receipt, view: View): void;
  breaker?(process: string, line: BreakerLine, view: View): void;
  killed?(process: string, view: View): void;
  /** Everything has come to rest. */
  atRest?(view: View): void;
}

/** A rule was broken. */
export class Violation extends Error {
  override name = 'Violation';
}

/** Reports a violation unless the condition holds. */
export function must(condition: boolean, what: () => string): void {
  if (!condition) throw new Violation(what());
}
