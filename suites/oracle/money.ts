/**
 * Exact amounts of money as fractions, so that nothing is lost before the single rounding of a charge. Amounts on
 * the wire are decimal texts in dollars; whole amounts are counted in pico-dollars (10^-12).
 */

/** A fraction; the denominator is above zero. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** A whole number of 10^-12 dollars. */
export type Pico = bigint;

export const zero: Fraction = { top: 0n, bottom: 1n };

/** Pico-dollars per dollar. */
const picoPerDollar = 1_000_000_000_000n;

export function whole(count: number | bigint): Fraction {
  return { top: BigInt(count), bottom: 1n };
}

export function fraction(top: number | bigint, bottom: number | bigint): Fraction {
  return { top: BigInt(top), bottom: BigInt(bottom) };
}

export function plus(...terms: readonly Fraction[]): Fraction {
  return terms.reduce(
    (a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }),
    zero,
  );
}

export function times(...factors: readonly Fraction[]): Fraction {
  return factors.reduce((a, b) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom }), whole(1));
}

/** Whether two fractions have the same value. */
export function isSame(a: Fraction, b: Fraction): boolean {
  return a.top * b.bottom === b.top * a.bottom;
}

/** Rounds to the nearest whole number, half to even. */
export function rounded({ top, bottom }: Fraction): bigint {
  const up = (2n * top + bottom) / (2n * bottom);
  // Division truncates towards zero, so negative results are corrected downwards.
  const nearest = 2n * top + bottom < up * 2n * bottom ? up - 1n : up;
  const isHalfWay = 2n * top + bottom === nearest * 2n * bottom;
  return isHalfWay && nearest % 2n !== 0n ? nearest - 1n : nearest;
}

/** The dollars that a decimal text names, exponents included; null when it names no amount. */
export function dollarsIn(text: string): Fraction | null {
  const found = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (found === null) return null;
  const [, sign = '', units = '', decimals = '', power = '0'] = found;
  const digits = BigInt(`${units}${decimals}`) * (sign === '-' ? -1n : 1n);
  const shift = Number(power) - decimals.length;
  return shift >= 0 ? whole(digits * 10n ** BigInt(shift)) : { top: digits, bottom: 10n ** BigInt(-shift) };
}

/** The same in whole pico-dollars; null for any other text, or a finer amount. */
export function picoIn(text: string): Pico | null {
  const dollars = dollarsIn(text);
  if (dollars === null) return null;
  const scaled = dollars.top * picoPerDollar;
  return scaled % dollars.bottom === 0n ? scaled / dollars.bottom : null;
}

/** Dollars as pico-dollars, still exact. */
export function inPico(dollars: Fraction): Fraction {
  return times(dollars, whole(picoPerDollar));
}

/** An amount as a decimal text in dollars, for a sentence and for the wire. */
export function dollarText(pico: Pico): string {
  const size = pico < 0n ? -pico : pico;
  const decimals = (size % picoPerDollar).toString().padStart(12, '0').replace(/0+$/, '');
  return `${pico < 0n ? '-' : ''}${size / picoPerDollar}${decimals === '' ? '' : '.'}${decimals}`;
}
