import { divideHalfEven, type Pico } from '../money/pico.ts';
import type { PriceUnit, QualityPrices } from '../money/price-row.ts';

/** List price of a model that is billed per unit. */
export interface UnitPrice {
  readonly unit: PriceUnit;
  /** Pico-USD per unit. */
  readonly pico: Pico;
  /** Prices that differ by quality; null if all qualities cost the same. */
  readonly qualities: QualityPrices | null;
}

const wholeBp = 10_000n;

/** The cost of a number of units, with a markup in basis points, rounded once. */
export function chargeForUnits(units: number, unitPico: Pico, markupBp: number): Pico {
  return divideHalfEven(BigInt(units) * unitPico * (wholeBp + BigInt(markupBp)), wholeBp);
}
