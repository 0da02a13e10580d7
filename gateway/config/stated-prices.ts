import type { Pico } from '../money/pico.ts';
import type { ListPrice } from './list-price.ts';

const cent: Pico = 10n ** 10n;

/**
 * Prices per image that the specification states ("Image per-model parameters"); its range from 4 to 17 cents is
 * by quality. They apply unless the configuration sets others.
 */
export const statedPrices: Readonly<Record<string, ListPrice>> = {
  'alpha-image-2': {
    unit: 'image',
    pico: 7n * cent,
    qualities: { low: 4n * cent, medium: 7n * cent, high: 17n * cent },
  },
  'gamma-3-pro-image': { unit: 'image', pico: 4n * cent, qualities: null },
  'kontext-pro': { unit: 'image', pico: 4n * cent, qualities: null },
};
