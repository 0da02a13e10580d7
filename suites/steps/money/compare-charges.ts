import { dollarText, type Fraction, type Pico } from '../../oracle/money.ts';
import { flag } from '../../rules/violation.ts';
import { named, type Priced } from './priced-call.ts';

/** The rule and the message for wrong charges. */
export interface ChargeRule {
  readonly requirement: string;
  readonly aspect: string;
}

/** The price difference of two calls that differ in one thing. */
export interface Step {
  readonly from: Priced;
  readonly to: Priced;
}

/** The coarsest rounding that a deployment may use, pico-dollars: whole cents. */
const coarsest: Pico = 10n ** 10n;

/** The smallest unit that a deployment's charges show: the largest power of ten that divides all of them. */
export function visibleUnit(all: readonly Priced[]): Pico {
  let unit = coarsest;
  while (unit > 1n && all.some(({ charge }) => charge % unit !== 0n)) unit /= 10n;
  return unit;
}

export function sizeOf({ from, to }: Step): Pico {
  return to.charge - from.charge;
}

/** A whole charge as a step from no charge at all. */
export function fromNothing(to: Priced): Step {
  return { from: { ...to, charge: 0n, call: { ...to.call, label: 'nothing at all' } }, to };
}

/**
 * Judges that one step is `ratio` times another. Each charge may be rounded up or down to the visible unit, but no
 * further.
 */
export function mustBeTimes(step: Step, ratio: Fraction, of: Step, rule: ChargeRule): void {
  const unit = visibleUnit([step.from, step.to, of.from, of.to]);
  const off = sizeOf(step) * ratio.bottom - sizeOf(of) * ratio.top;
  flag(within(off, 2n * unit * (ratio.top + ratio.bottom)), {
    ...rule,
    expected: `${ratioText(ratio)} times ${dollarText(sizeOf(of))}, the price difference of "${named(of.to)}" and "${named(of.from)}"`,
    actual: `${dollarText(sizeOf(step))} between "${named(step.to)}" (${dollarText(step.to.charge)}) and "${named(step.from)}" (${dollarText(step.from.charge)})`,
    exchange: step.to.exchange,
    twin: step.from.exchange,
  });
}

/** Judges that two calls cost the same, to the last digit. */
export function mustCostTheSame(one: Priced, other: Priced, rule: ChargeRule): void {
  flag(one.charge === other.charge, {
    ...rule,
    expected: `${dollarText(other.charge)}, the cost of "${named(other)}"`,
    actual: `${dollarText(one.charge)} for "${named(one)}"`,
    exchange: one.exchange,
    twin: other.exchange,
  });
}

/** Judges that a call costs more than another. */
export function mustCostMore(one: Priced, other: Priced, rule: ChargeRule): void {
  flag(one.charge > other.charge, {
    ...rule,
    expected: `more than ${dollarText(other.charge)}, the cost of "${named(other)}"`,
    actual: `${dollarText(one.charge)} for "${named(one)}"`,
    exchange: one.exchange,
    twin: other.exchange,
  });
}

export function within(value: bigint, bound: bigint): boolean {
  return value <= bound && value >= -bound;
}

function ratioText({ top, bottom }: Fraction): string {
  return bottom === 1n ? `${top}` : `${top}/${bottom}`;
}
