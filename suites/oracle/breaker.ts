/** When a breaker opens, and for how long (reading B-108); ms. */
export interface BreakerRules {
  readonly consecutiveFailures: number;
  readonly windowMs: number;
  readonly windowLeast: number;
  readonly windowFailurePercent: number;
  /** The first cool-down, the second one and so on; the last one repeats. */
  readonly coolDownMs: readonly [number, ...number[]];
  /** How many probes must succeed to close it; 1 if left out. */
  readonly probes?: number;
}

/** When something happened: a range of observed times, Unix ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The outcome of one upstream request for its channel: works, fails, or neutral. `unsure`: the specification leaves it open.
 */
export type Outcome = 'success' | 'failure' | 'ignored' | 'unsure';

/** One upstream request. */
export interface Attempt {
  readonly began: Span;
  /** When its outcome was known, where that was later. */
  readonly ended?: Span;
  readonly outcome: Outcome;
  /**
   * A retry within an admitted call. An earlier failure of the same call may have opened the breaker in between.
   */
  readonly again?: boolean;
}

/** What a breaker must do with a call. */
export type Duty = 'pass' | 'refuse' | 'either';

interface Past {
  readonly at: Span;
  readonly failed: boolean;
}

/** One breaker state that fits everything observed so far. */
type State =
  | { readonly phase: 'closed'; readonly past: readonly Past[]; readonly row: number }
  | {
      readonly phase: 'open';
      readonly since: Span;
      readonly opened: number;
      /** How many probes have succeeded since. */
      readonly worked: number;
    };

const fresh: State & { phase: 'closed' } = { phase: 'closed', past: [], row: 0 };

/** The maximum number of possible states. Later observations never separate more, so the oldest are dropped. */
const maxStates = 64;

/**
 * The suites' own model of one breaker.
 * An observer does not know exact times, nor what the specification leaves open, so the model keeps several
 * possible states.
 * Each observation removes the states that contradict it. When none is left, no breaker with these parameters
 * behaves like this.
 */
export class BreakerModel {
  readonly #rules: BreakerRules;
  /** The tolerance for each limit, ms. */
  readonly #slackMs: number;
  #states: readonly State[] = [fresh];

  constructor(rules: BreakerRules, slackMs: number) {
    this.#rules = rules;
    this.#slackMs = slackMs;
  }

  /** What must happen to a call within the span. */
  duty(at: Span): Duty {
    const pass = this.#states.some((state) => this.#mayPass(state, at));
    const refuse = this.#states.some((state) => this.#mayRefuse(state, at));
    return pass && refuse ? 'either' : pass ? 'pass' : 'refuse';
  }

  /** Whether a probe may be due at this time. The breaker then admits only one of several concurrent calls. */
  probing(at: Span): Duty {
    const due = this.#states.map((state) => state.phase === 'open' && this.#mayPass(state, at));
    return due.every(Boolean) ? 'pass' : due.some(Boolean) ? 'either' : 'refuse';
  }

  /** Records that a call was refused without an upstream request. False: no breaker would have refused it. */
  refused(at: Span): boolean {
    return this.#keep(this.#states.filter((state) => this.#mayRefuse(state, at)));
  }

  /** Records an upstream request and its outcome. False: no breaker would have admitted it. */
  attempted({ began, ended = began, outcome, again = false }: Attempt): boolean {
    return this.#keep(
      this.#states.flatMap((state) => {
        if (this.#mayPass(state, began)) return this.#after(state, ended, outcome);
        return again ? [state] : [];
      }),
    );
  }

  #keep(states: readonly State[]): boolean {
    if (states.length === 0) return false;
    const unique = new Map(states.map((state) => [JSON.stringify(state), state]));
    this.#states = extremes([...unique.values()]);
    return true;
  }

  #mayPass(state: State, at: Span): boolean {
    return state.phase === 'closed' || at.to >= state.since.from + this.#coolDownOf(state) - this.#slackMs;
  }

  #mayRefuse(state: State, at: Span): boolean {
    return state.phase === 'open' && at.from <= state.since.to + this.#coolDownOf(state) + this.#slackMs;
  }

  #coolDownOf({ opened }: { readonly opened: number }): number {
    const { coolDownMs } = this.#rules;
    return coolDownMs[Math.min(opened, coolDownMs.length) - 1] ?? coolDownMs[0];
  }

  #after(state: State, at: Span, outcome: Outcome): State[] {
    switch (outcome) {
      case 'success':
        return state.phase === 'open' ? this.#probed(state, at) : this.#counted(state, at, false);
      case 'failure':
        return state.phase === 'open'
          ? [{ phase: 'open', since: at, opened: state.opened + 1, worked: 0 }]
          : this.#counted(state, at, true);
      case 'ignored':
        // The specification does not say whether this outcome ends a run of failures, or counts as a probe.
        return state.phase === 'open' ? [state, fresh] : [state, { ...state, row: 0 }];
      case 'unsure':
        return (['failure', 'ignored', 'success'] as const).flatMap((each) => this.#after(state, at, each));
    }
  }

  /** The possible states after a successful probe: closed, unless more of them are needed. */
  #probed(state: State & { phase: 'open' }, at: Span): State[] {
    const worked = state.worked + 1;
    if (worked < (this.#rules.probes ?? 1)) return [{ ...state, worked }];
    return [fresh, withPast(fresh, at, false)];
  }

  /** The possible states of a closed breaker after one more outcome: open, closed, or both. */
  #counted(state: State & { phase: 'closed' }, at: Span, failed: boolean): State[] {
    const next = withPast(state, at, failed);
    const open: State = { phase: 'open', since: at, opened: 1, worked: 0 };
    if (next.row >= this.#rules.consecutiveFailures) return [open];
    const trips = this.#windows(next.past, at).map((window) => this.#trips(window));
    // The specification leaves open whether a success can be the outcome that opens a breaker.
    const mayStay = trips.includes(false) || !failed;
    return [...(trips.includes(true) ? [open] : []), ...(mayStay ? [next] : [])];
  }

  /** The possible contents of the window at this time: an outcome near its edge may be in it or not. */
  #windows(past: readonly Past[], at: Span): (readonly Past[])[] {
    const surelyFrom = at.to - this.#rules.windowMs + this.#slackMs;
    const maybeFrom = at.from - this.#rules.windowMs - this.#slackMs;
    const outside = past.filter((one) => one.at.to < maybeFrom).length;
    const surely = past.findIndex((one) => one.at.from >= surelyFrom);
    const last = surely === -1 ? past.length : surely;
    return Array.from({ length: Math.max(1, last - outside + 1) }, (_, cut) => past.slice(outside + cut));
  }

  #trips(window: readonly Past[]): boolean {
    const failures = window.filter(({ failed }) => failed).length;
    return (
      window.length >= this.#rules.windowLeast &&
      failures * 100 >= window.length * this.#rules.windowFailurePercent
    );
  }
}

function withPast(
  state: State & { phase: 'closed' },
  at: Span,
  failed: boolean,
): State & { phase: 'closed' } {
  return { phase: 'closed', past: [...state.past, { at, failed }], row: failed ? state.row + 1 : 0 };
}

/** Keeps the states at both extremes, which treat all unsure outcomes alike, because a deployment does so too. */
function extremes(states: readonly State[]): State[] {
  if (states.length <= maxStates) return [...states];
  return [...states.slice(0, maxStates / 2), ...states.slice(-maxStates / 2)];
}
