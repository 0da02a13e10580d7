import type { BreakerLimits } from '../config.ts';
import {
  type AdmittedCall,
  Breaker,
  type BreakerChange,
  type BreakerState,
  type Suspects,
} from './breaker.ts';
import { Cooling } from './cooling.ts';

/** What keeps calls from a channel: its breaker, and the pause that its upstream asked for. */
export interface Gate {
  readonly breaker: Breaker;
  readonly cooling: Cooling;
}

export interface Closed {
  readonly kind: 'cooling' | 'open';
  /** Milliseconds until a call may pass at the earliest; 0 for unknown. */
  readonly waitMs: number;
}

/** Whether a channel takes a call now. If not: why. A drained one takes none until told otherwise. */
export type Condition =
  | { readonly kind: 'free'; readonly isProbe: boolean }
  | Closed
  | { readonly kind: 'full'; readonly waitMs: number }
  | { readonly kind: 'drained' };

/** Receives every change of a breaker; `by`: the account that alone it keeps from the channel. */
export type GateChanged = (change: BreakerChange, by?: string) => void;

/**
 * The gates of a channel. What calls of a single account cause on a shared channel closes a gate of that account only: its
 * requests may be the cause. Two failures of others close the gate for all (B-108). Once it has been closed for all, it takes
 * failed probes of two accounts to close it again, so that nobody's requests keep the others out.
 */
export class Gates {
  readonly #limits: BreakerLimits;
  readonly #changed: GateChanged;
  readonly #isShared: boolean;
  readonly #own = new Map<string, Gate>();
  readonly all: Gate;

  constructor(limits: BreakerLimits, isShared: boolean, changed: GateChanged) {
    this.#limits = limits;
    this.#isShared = isShared;
    this.#changed = changed;
    const suspects: Suspects = {
      shutOut: (by, nowMs, why) => this.own(by, nowMs).breaker.trip(nowMs, why),
      othersAreOut: (by, nowMs) =>
        [...this.#own].some(([other, { breaker }]) => other !== by && breaker.state(nowMs) === 'open'),
    };
    this.all = {
      breaker: new Breaker(limits, changed, isShared ? suspects : null),
      cooling: new Cooling(),
    };
  }

  /** The gate of an account alone. */
  own(by: string, nowMs: number): Gate {
    const known = this.#own.get(by);
    if (known !== undefined) return known;
    for (const [other, gate] of this.#own) if (isIdle(gate, nowMs)) this.#own.delete(other);
    const breaker = new Breaker(this.#limits, (change) => {
      if (change.to === 'closed') {
        this.#own.delete(by);
        this.all.breaker.forgive(by);
      }
      this.#changed(change, by);
    });
    const gate = { breaker, cooling: new Cooling() };
    this.#own.set(by, gate);
    return gate;
  }

  /** Why no call of the account may pass; null when one may. */
  closed(by: string, nowMs: number): Closed | null {
    const own = this.#own.get(by);
    return closedAt(this.all, nowMs) ?? (own === undefined ? null : closedAt(own, nowMs));
  }

  /** Why no call of some account may pass. */
  closedToSome(nowMs: number): Closed | null {
    const gates = [this.all, ...this.#own.values()];
    return gates.map((gate) => closedAt(gate, nowMs)).find((closed) => closed !== null) ?? null;
  }

  /** The worst state of all breakers. */
  state(nowMs: number): BreakerState {
    const states = [this.all, ...this.#own.values()].map(({ breaker }) => breaker.state(nowMs));
    return states.find((state) => state === 'open') ?? states.find((state) => state !== 'closed') ?? 'closed';
  }

  /** The account was served: if its call passed the gate of all, nothing keeps it out any more. */
  served({ gate }: Passed, by: string, nowMs: number): void {
    const own = gate === this.all ? this.#own.get(by) : undefined;
    if (own !== undefined && own.breaker.state(nowMs) === 'half-open') own.breaker.closeAlso();
  }

  /** The account was asked for a pause; where another one has been as well, all have. */
  cool(by: string, forMs: number, nowMs: number): void {
    const isConfirmed = [...this.#own].some(([other, { cooling }]) => other !== by && cooling.isOn(nowMs));
    if (!this.#isShared || isConfirmed) this.all.cooling.ask(forMs, nowMs);
    else this.own(by, nowMs).cooling.ask(forMs, nowMs);
  }

  /** Admits a call of the account, or returns null. */
  admit(by: string, nowMs: number): Passed | null {
    if (this.closed(by, nowMs) !== null) return null;
    const gate = this.#of(by, nowMs);
    const admitted = gate.breaker.admit(nowMs);
    if (admitted === null) return null;
    const own = this.#own.get(by);
    const pauses = own === undefined ? [this.all.cooling] : [this.all.cooling, own.cooling];
    for (const pause of pauses) pause.pass(admitted, nowMs);
    return { gate, admitted, pauses, by: gate === this.all ? undefined : by };
  }

  /** Whether the account's next call is the only one that may try. */
  isTrial(by: string, nowMs: number): boolean {
    const own = this.#own.get(by);
    return (
      this.#of(by, nowMs).breaker.state(nowMs) === 'half-open' ||
      this.all.cooling.isOn(nowMs) ||
      own?.cooling.isOn(nowMs) === true
    );
  }

  /** The gate at which the outcome of the account's next call counts. */
  #of(by: string, nowMs: number): Gate {
    const own = this.#own.get(by);
    const isOwn = own !== undefined && own.breaker.state(nowMs) !== 'closed';
    return isOwn && this.all.breaker.state(nowMs) === 'closed' ? own : this.all;
  }
}

/** It keeps nothing from the channel any more. */
function isIdle({ breaker, cooling }: Gate, nowMs: number): boolean {
  return breaker.state(nowMs) !== 'open' && !cooling.isOn(nowMs);
}

function closedAt({ breaker, cooling }: Gate, nowMs: number): Closed | null {
  const coolingMs = cooling.waitMs(nowMs);
  const isOpen = !breaker.admits(nowMs) || (breaker.state(nowMs) !== 'closed' && coolingMs > 0);
  if (isOpen) return { kind: 'open', waitMs: Math.max(breaker.waitMs(nowMs), coolingMs) };
  return coolingMs > 0 ? { kind: 'cooling', waitMs: coolingMs } : null;
}

/** A call that a gate has admitted. */
export interface Passed {
  readonly gate: Gate;
  readonly admitted: AdmittedCall;
  /** The pauses that its answer ends. */
  readonly pauses: readonly Cooling[];
  /** The account whose own gate it is. */
  readonly by: string | undefined;
}

/** Whose gate a report is about, where it is not that of all. */
export function whose({ by }: { readonly by: string | undefined }): { readonly by?: string } {
  return by === undefined ? {} : { by };
}
