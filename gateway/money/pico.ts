/** Money in whole pico-USD (10^-12 dollars): exact for every token price with up to six decimals per million tokens. */
export type Pico = bigint;

const picoDecimals = 12;
const maxWholeDigits = 15;

/** Parses a decimal amount in dollars (`12`, `0.5`, `-3.25`); null for any other text, or too many digits. */
export function parseUsd(text: string, decimals: number = picoDecimals): Pico | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (match === null || whole.length > maxWholeDigits || fraction.length > decimals) return null;
  const pico = BigInt(whole + fraction.padEnd(picoDecimals, '0'));
  return sign === '-' ? -pico : pico;
}

/** The amount in dollars with as many decimals as it needs: `12`, `0.000001`, `-3.25`. */
export function formatUsd(pico: Pico): string {
  const digits = (pico < 0n ? -pico : pico).toString().padStart(picoDecimals + 1, '0');
  const fraction = digits.slice(-picoDecimals).replace(/0+$/, '');
  const sign = pico < 0n ? '-' : '';
  return `${sign}${digits.slice(0, -picoDecimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The quotient, rounded half to even: money is rounded once, here. `by` is positive. */
export function divideHalfEven(amount: bigint, by: bigint): bigint {
  const floor = amount / by - (amount % by < 0n ? 1n : 0n);
  const twiceRest = 2n * (amount - floor * by);
  const isUp = twiceRest > by || (twiceRest === by && floor % 2n !== 0n);
  return floor + (isUp ? 1n : 0n);
}
