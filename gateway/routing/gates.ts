import type { BreakerLimits } from '../config.ts';
import {
  type AdmittedCall,
  Breaker,
  type BreakerChange,
  type BreakerState,
  type Suspects,
} from './breaker.ts';
import { Cooling } from './cooling.ts';
import { accountIn, isOf, type Witness } from './witness.ts';

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

/** Receives every change of a breaker; `by`: whom alone it keeps from the channel. */
export type GateChanged = (change: BreakerChange, by?: Witness) => void;

/**
 * The gates of a channel. On a shared one, what calls of a single user cause closes a gate of that user only. What those of
 * several users of an account cause closes a gate of that account. Their requests may be the cause. Two failures of other
 * accounts close the gate for all (B-108). Once a gate has been closed for several, only failed probes of two close it again,
 * so that the requests of one never keep the others out.
 */
export class Gates {
  readonly #limits: BreakerLimits;
  readonly #changed: GateChanged;
  readonly #isShared: boolean;
  readonly #own = new Map<Witness, Gate>();
  readonly all: Gate;

  /** `isShared`: whether calls of several accounts pass; those of one customer's channel have a single gate. */
  constructor(limits: BreakerLimits, isShared: boolean, changed: GateChanged) {
    this.#limits = limits;
    this.#changed = changed;
    this.#isShared = isShared;
    const suspects = isShared ? this.#suspects(null) : null;
    this.all = { breaker: new Breaker(limits, changed, suspects), cooling: new Cooling() };
  }

  /** The gate of a user, or of an account. */
  own(by: Witness, nowMs: number): Gate {
    const known = this.#own.get(by);
    if (known !== undefined) return known;
    for (const [other, gate] of this.#own) if (isIdle(gate, nowMs)) this.#own.delete(other);
    const changed = (change: BreakerChange): void => {
      if (change.to === 'closed') {
        this.#own.delete(by);
        this.all.breaker.forgive(by);
      }
      this.#changed(change, by);
    };
    const suspects = by === accountIn(by) ? this.#suspects(by) : null;
    const gate = { breaker: new Breaker(this.#limits, changed, suspects), cooling: new Cooling() };
    this.#own.set(by, gate);
    return gate;
  }

  /** Those whose calls pass the gate of an account, or of all. */
  #suspects(account: Witness | null): Suspects {
    const shutOut = (by: Witness, nowMs: number, why: string): void =>
      this.own(by, nowMs).breaker.trip(nowMs, why);
    const isOpen =
      (nowMs: number) =>
      ({ breaker }: Gate): boolean =>
        breaker.state(nowMs) === 'open';
    return {
      shutOut,
      probeFailed: (by, nowMs, why) => {
        const isSingle = account === by || (account === null && this.#others(by, isOpen(nowMs)));
        const hasColleagues = this.#colleagues(by, isOpen(nowMs));
        if (isSingle || (account !== null && hasColleagues)) return false;
        shutOut(hasColleagues ? accountIn(by) : by, nowMs, why);
        return true;
      },
    };
  }

  /** Whether this is so at a gate of another account. */
  #others(by: Witness, isSo: (gate: Gate) => boolean): boolean {
    return [...this.#own].some(([other, gate]) => accountIn(other) !== accountIn(by) && isSo(gate));
  }

  /** Whether this is so at a gate of another user of the same account. */
  #colleagues(by: Witness, isSo: (gate: Gate) => boolean): boolean {
    return [...this.#own].some(
      ([other, gate]) => isOf(other, accountIn(by)) && other !== accountIn(by) && other !== by && isSo(gate),
    );
  }

  /** The gates that a call passes, the widest first; those of its account and of its user only where there are some. */
  #passedBy(by: Witness): { readonly gate: Gate; readonly by: Witness | undefined }[] {
    const names = [...new Set([accountIn(by), by])];
    const own = names.flatMap((name) => {
      const gate = this.#own.get(name);
      return gate === undefined ? [] : [{ gate, by: name }];
    });
    return [{ gate: this.all, by: undefined }, ...own];
  }

  /** Why no call of the user may pass; null when one may. */
  closed(by: Witness, nowMs: number): Closed | null {
    const reasons = this.#passedBy(by).map(({ gate }) => closedAt(gate, nowMs));
    return reasons.find((reason) => reason !== null) ?? null;
  }

  /** Why no call of someone may pass. */
  closedToSome(nowMs: number): Closed | null {
    const gates = [this.all, ...this.#own.values()];
    return gates.map((gate) => closedAt(gate, nowMs)).find((closed) => closed !== null) ?? null;
  }

  /** The worst state of all breakers. */
  state(nowMs: number): BreakerState {
    const states = [this.all, ...this.#own.values()].map(({ breaker }) => breaker.state(nowMs));
    return states.find((state) => state === 'open') ?? states.find((state) => state !== 'closed') ?? 'closed';
  }

  /** The user was served: nothing keeps it out any more at the narrower gates than the one that its call passed. */
  served({ gate }: Passed, by: Witness, nowMs: number): void {
    const gates = this.#passedBy(by).map((passed) => passed.gate);
    // A gate that its probe has closed is no longer among them; that of all always is.
    const at = Math.max(0, gates.indexOf(gate));
    for (const own of gates.slice(at + 1))
      if (own.breaker.state(nowMs) === 'half-open') own.breaker.closeAlso();
  }

  /** The user was asked for a pause; where another one has been as well, its account has, and so with accounts. */
  cool(by: Witness, forMs: number, nowMs: number): void {
    const isOn = ({ cooling }: Gate): boolean => cooling.isOn(nowMs);
    if (!this.#isShared || this.#others(by, isOn)) this.all.cooling.ask(forMs, nowMs);
    else this.own(this.#colleagues(by, isOn) ? accountIn(by) : by, nowMs).cooling.ask(forMs, nowMs);
  }

  /** Admits a call of the user, or returns null. */
  admit(by: Witness, nowMs: number): Passed | null {
    if (this.closed(by, nowMs) !== null) return null;
    const { gate, by: whom } = this.#of(by, nowMs);
    const admitted = gate.breaker.admit(nowMs);
    if (admitted === null) return null;
    const pauses = this.#passedBy(by).map((passed) => passed.gate.cooling);
    for (const pause of pauses) pause.pass(admitted, nowMs);
    return { gate, admitted, pauses, by: whom };
  }

  /** Whether the user's next call is the only one that may try. */
  isTrial(by: Witness, nowMs: number): boolean {
    return (
      this.#of(by, nowMs).gate.breaker.state(nowMs) === 'half-open' ||
      this.#passedBy(by).some(({ gate }) => gate.cooling.isOn(nowMs))
    );
  }

  /** The gate at which the outcome of the user's next call counts: the widest that is not closed, else that of all. */
  #of(by: Witness, nowMs: number): { readonly gate: Gate; readonly by: Witness | undefined } {
    const passed = this.#passedBy(by);
    const probing = passed.find(({ gate }) => gate.breaker.state(nowMs) !== 'closed');
    return probing ?? { gate: this.all, by: undefined };
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
  /** The user or account whose own gate it is. */
  readonly by: Witness | undefined;
}

/** Whose gate a report is about, where it is not that of all. */
export function whose({ by }: { readonly by: Witness | undefined }): { readonly by?: Witness } {
  return by === undefined ? {} : { by };
}
