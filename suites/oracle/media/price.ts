import { dollarsIn, type Fraction, fraction, inPico, type Pico, rounded, times, whole } from '../money.ts';

/** The specified prices per image ("Image per-model parameters"), dollars: minimum and maximum. */
export const statedPrices: Readonly<
  Record<string, { readonly min: string; readonly max: string; readonly row: string }>
> = {
  'alpha-image-2': { min: '0.04', max: '0.17', row: 'BILL-012' },
  'gamma-3-pro-image': { min: '0.04', max: '0.04', row: 'BILL-013' },
  'kontext-pro': { min: '0.04', max: '0.04', row: 'BILL-014' },
};

/** A price in a profile: per image (also by quality), per second, or for the whole task. */
export type DeclaredUnitPrice =
  | { readonly per_image: string | Readonly<Record<'low' | 'medium' | 'high' | 'auto', string>> }
  | { readonly per_second: string }
  | { readonly per_task: string };

/** The amount of a result, as far as callers see it. */
export interface Made {
  readonly images: number;
  readonly seconds: number;
  /** The requested quality. */
  readonly quality?: 'low' | 'medium' | 'high' | 'auto';
}

const wholeBasisPoints = 10_000;

/** The charge for a result: units at the list price, marked up, rounded once at the end. */
export function unitCharge(made: Made, price: DeclaredUnitPrice, markupBp: number, unit: Pico = 1n): Pico {
  return unit * rounded(times(exactUnitCharge(made, price, markupBp), fraction(1, unit)));
}

/** The same charge before rounding, in pico-dollars. */
export function exactUnitCharge(made: Made, price: DeclaredUnitPrice, markupBp: number): Fraction {
  const { units, dollars } = unitsOf(made, price);
  return times(whole(units), markedUp(dollars, markupBp));
}

/** A price in dollars with a markup, exact, in pico-dollars. */
export function markedUp(dollars: string, markupBp: number): Fraction {
  const price = dollarsIn(dollars);
  if (price === null) throw new RangeError(`${dollars} is not a price`);
  return times(inPico(price), fraction(wholeBasisPoints + markupBp, wholeBasisPoints));
}

/** The number of price units in a result. */
export function unitsMade(made: Made, price: DeclaredUnitPrice): number {
  return unitsOf(made, price).units;
}

function unitsOf(
  { images, seconds, quality = 'auto' }: Made,
  price: DeclaredUnitPrice,
): { readonly units: number; readonly dollars: string } {
  if ('per_second' in price) return { units: seconds, dollars: price.per_second };
  if ('per_task' in price) return { units: 1, dollars: price.per_task };
  const { per_image: one } = price;
  return { units: images, dollars: typeof one === 'string' ? one : one[quality] };
}
