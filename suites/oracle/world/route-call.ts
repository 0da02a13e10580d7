import type { BreakerModel, Span } from '../breaker.ts';
import { type Behaviour, factsOf } from './behaviours.ts';
import type { Broken } from './judge-call.ts';

/** A model with its channels and its fallback model. */
export interface Route {
  readonly model: string;
  readonly channels: readonly string[];
  readonly fallback: string | null;
}

/** A call of a route and its result. */
export interface RouteCall {
  readonly behaviourOf: (channel: string) => Behaviour;
  /** The channels that it reached, in order. */
  readonly asked: readonly string[];
  /** The code of its error; null where it was served. */
  readonly code: string | null;
  /** Every model that its answer names. */
  readonly named: readonly string[];
  readonly at: Span;
}

/**
 * After these failures a declared fallback must serve. After garbage it may: the specification does not call that an outage.
 */
const spent: readonly Behaviour[] = ['server', 'busy', 'reset'];

/**
 * Judges the calls of a route ("Routing", readings B-106 to B-108): the called channels, their order, the answering model and
 * its name.
 */
export class RouteModel {
  readonly #route: Route;
  readonly #newBreaker: () => BreakerModel;
  /** By channel. All channels of the fallback are one here: the profile does not name them. */
  readonly #breakers = new Map<string, BreakerModel>();

  constructor(route: Route, newBreaker: () => BreakerModel) {
    this.#route = route;
    this.#newBreaker = newBreaker;
  }

  /**
   * Records a call.
   * @returns the rule that it violates; null where it violates none
   */
  took(call: RouteCall): Broken | null {
    const broken = this.#orderBroken(call) ?? this.#skipBroken(call) ?? this.#endBroken(call);
    return broken ?? this.#note(call);
  }

  #orderBroken({ asked, behaviourOf }: RouteCall): Broken | null {
    const { model, channels, fallback } = this.#route;
    const reserve = asked.findIndex((name) => !this.#isOwn(name));
    const isMixed = reserve >= 0 && asked.slice(reserve).some((name) => this.#isOwn(name));
    if (isMixed || (reserve >= 0 && fallback === null)) {
      const expected = `requests at ${channels.join(', ')}, the channels of ${model}, before any other`;
      return { requirement: 'ROUTE-003', aspect: 'own-channels', expected };
    }
    const early = asked.slice(0, -1).find((name) => !mayGoOn(behaviourOf(name)));
    if (early === undefined) return null;
    const behaviour = behaviourOf(early);
    const expected = `no further request after that at ${early}, whose upstream does ${behaviour}`;
    if (behaviour === 'good') return { requirement: 'ROUTE-003', aspect: 'only-after-failure', expected };
    return { requirement: factsOf(behaviour).requirement, aspect: 'not-retried', expected };
  }

  /** Judges that a healthy or recovered channel is never skipped. */
  #skipBroken({ asked, at, behaviourOf }: RouteCall): Broken | null {
    const { channels, fallback } = this.#route;
    const hasAsked = asked.some((name) => this.#isOwn(name));
    const due = channels.find((name) => this.#breaker(name).duty(at) === 'pass');
    if (!hasAsked && due !== undefined) {
      const expected = `a request at ${due} first: its breaker lets it pass`;
      return { requirement: 'ROUTE-011', aspect: 'asked-when-due', expected };
    }
    const last = asked.at(-1);
    const isSpent = last === undefined || (this.#isOwn(last) && spent.includes(behaviourOf(last)));
    if (fallback === null || !isSpent || this.#breaker(fallback).duty(at) !== 'pass') return null;
    const expected = `an answer by ${fallback}, the declared fallback`;
    return { requirement: 'RESP-005', aspect: 'falls-back', expected };
  }

  #endBroken({ asked, code, named, behaviourOf }: RouteCall): Broken | null {
    const { model, fallback } = this.#route;
    const last = asked.at(-1);
    const codes = asked.flatMap((name) => factsOf(behaviourOf(name)).codes ?? []);
    if (code !== null) {
      const allowed = [...new Set<string>([...codes, 'channel_outage'])];
      const isGood = last !== undefined && behaviourOf(last) === 'good';
      if (!isGood && allowed.includes(code)) return null;
      const expected = isGood ? `an answer: ${last} has given one` : allowed.join(' or ');
      return { requirement: isGood ? 'ROUTE-002' : 'ROUTE-009', aspect: 'fails-as-its-channels', expected };
    }
    const served = last === undefined || this.#isOwn(last) ? model : (fallback ?? model);
    if (named.length > 0 && named.every((name) => name === served)) return null;
    return { requirement: 'RESP-005', aspect: 'model-tells', expected: `model ${served}, which served` };
  }

  #note({ asked, at, behaviourOf }: RouteCall): Broken | null {
    for (const [place, name] of asked.entries()) {
      const { outcome } = factsOf(behaviourOf(name));
      const breaker = this.#breaker(this.#isOwn(name) ? name : (this.#route.fallback ?? name));
      if (breaker.attempted({ began: at, outcome, again: place > 0 })) continue;
      const expected = `no request at ${name}: by the declared parameters its breaker is open`;
      return { requirement: 'ROUTE-009', aspect: 'no-upstream-call', expected };
    }
    const { channels } = this.#route;
    if (!asked.some((name) => this.#isOwn(name)))
      for (const name of channels) this.#breaker(name).refused(at);
    return null;
  }

  #isOwn(name: string): boolean {
    return this.#route.channels.includes(name);
  }

  #breaker(name: string): BreakerModel {
    const known = this.#breakers.get(name) ?? this.#newBreaker();
    this.#breakers.set(name, known);
    return known;
  }
}

function mayGoOn(behaviour: Behaviour): boolean {
  return spent.includes(behaviour) || behaviour === 'garbage';
}
