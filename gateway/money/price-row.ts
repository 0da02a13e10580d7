import type { Pico } from './pico.ts';

/** A row of the price list: pico-USD per token, and percentages of the input price for what a cache has to do with. */
export interface PriceRow {
  readonly model_id: string;
  readonly input_pico: Pico;
  readonly output_pico: Pico;
  readonly cached_percent: number;
  readonly write_5m_percent: number;
  readonly write_1h_percent: number;
}
