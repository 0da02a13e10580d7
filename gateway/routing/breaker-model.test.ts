import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AdmittedCall, Breaker } from './breaker.ts';

const limits = {
  consecutive_failures: 3,
  window_ms: 1000,
  window_least: 4,
  window_failure_percent: 50,
  cool_down_ms: [100, 250, 400],
  account_out_ms: 5000,
};

/** The expected behaviour of a breaker, computed from the whole history each time: slow but simple. */
class Model {
  /** Outcomes since the last change of the state. */
  history: { at: number; failed: boolean }[] = [];
  state: 'closed' | 'open' | 'half-open' = 'closed';
  openUntil = 0;
  openings = 0;
  probe: object | null = null;
  /** Admitted calls whose outcome still counts. */
  valid = new Set<object>();

  at(now: number): 'closed' | 'open' | 'half-open' {
    return this.state === 'open' && now >= this.openUntil ? 'half-open' : this.state;
  }

  admits(now: number): boolean {
    return this.at(now) === 'closed' || (this.at(now) === 'half-open' && this.probe === null);
  }

  admit(call: object, now: number): void {
    if (this.state === 'open') this.become('half-open');
    this.valid.add(call);
    if (this.at(now) === 'half-open') this.probe = call;
  }

  ended(call: object, now: number, outcome: Outcome): void {
    if (!this.valid.delete(call)) return;
    if (this.probe === call) this.probe = null;
    if (outcome === 'ignored') return;
    if (outcome === 'account') this.open(now, limits.account_out_ms);
    else if (this.state === 'half-open') {
      if (outcome === 'ok') {
        this.become('closed');
        this.openings = 0;
      } else this.open(now);
    } else {
      this.history.push({ at: now, failed: outcome === 'failed' });
      const recent = this.history.filter(({ at }) => at > now - limits.window_ms);
      const share = recent.filter(({ failed }) => failed).length / recent.length;
      const inARow = this.history.slice(-limits.consecutive_failures);
      const isRow = inARow.length === limits.consecutive_failures && inARow.every(({ failed }) => failed);
      if (isRow || (recent.length >= limits.window_least && share >= 0.5)) this.open(now);
    }
  }

  open(now: number, forMs = limits.cool_down_ms[Math.min(this.openings, 2)] ?? 0): void {
    this.openings += 1;
    this.become('open');
    this.openUntil = now + forMs;
  }

  become(state: 'closed' | 'open' | 'half-open'): void {
    this.state = state;
    this.history = [];
    this.probe = null;
    this.valid.clear();
  }
}

const outcomes = ['ok', 'failed', 'failed', 'account', 'ignored'] as const;
type Outcome = (typeof outcomes)[number];

/** Every limit, and one millisecond before and after it. */
const edges = [...limits.cool_down_ms, limits.window_ms, limits.account_out_ms].flatMap((ms) => [
  ms - 1,
  ms,
  ms + 1,
]);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('admit' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        which: fc.nat(7),
        outcome: fc.constantFrom(...outcomes),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.oneof(fc.constantFrom(...edges), fc.nat(400)),
      }),
    },
  ),
  { maxLength: 120 },
);

it('follows the rules for every order of calls, outcomes and waits, to the millisecond', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      let now = 1_000;
      const model = new Model();
      const breaker = new Breaker(limits, () => {});
      const passages: AdmittedCall[] = [];
      for (const step of sequence) {
        if (step.do === 'wait') now += step.ms;
        else if (step.do === 'admit') {
          const isAdmitted = model.admits(now);
          const call = breaker.admit(now);
          expect(call !== null).toBe(isAdmitted);
          if (call !== null) {
            passages.push(call);
            model.admit(call, now);
          }
        } else {
          const [call] = passages.splice(step.which % Math.max(1, passages.length), 1);
          if (call === undefined) continue;
          if (step.outcome === 'ok') breaker.succeeded(call, now);
          else if (step.outcome === 'ignored') breaker.abandoned(call);
          else breaker.failed(call, now, 'server', step.outcome === 'account');
          model.ended(call, now, step.outcome);
        }
        expect([breaker.state(now), breaker.admits(now), breaker.waitMs(now)]).toEqual([
          model.at(now),
          model.admits(now),
          model.state === 'open' ? Math.max(0, model.openUntil - now) : 0,
        ]);
      }
    }),
    { numRuns: 1000 },
  );
});
