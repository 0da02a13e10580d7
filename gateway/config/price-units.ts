import { mediaModels } from '../catalogue/media-models.ts';
import type { PriceUnit } from '../money/price-row.ts';
import type { ListPrice } from './list-price.ts';

/** The only model with image qualities. */
const withQualities: ReadonlySet<string> = new Set(['alpha-image-2']);

/** Returns the wrong field and the rule if a model cannot have a price of this form; null if it can. */
export function priceFault(
  modelId: string,
  price: ListPrice,
): { readonly field: string; readonly rule: string } | null {
  const units = unitsOf(modelId);
  if (!('unit' in price)) {
    return units.length === 0 ? null : { field: 'input', rule: `must be ${named(units)} for this model` };
  }
  const field = `per_${price.unit}`;
  if (units.length === 0) return { field, rule: 'must be input and output for this model' };
  if (!units.includes(price.unit)) return { field, rule: `must be ${named(units)} for this model` };
  if (price.qualities !== null && !withQualities.has(modelId)) {
    return { field, rule: 'must be one price, because this model has no qualities' };
  }
  return null;
}

/** The units that a model can be billed by: images, seconds or whole tasks; none for chat. */
function unitsOf(modelId: string): readonly PriceUnit[] {
  const model = mediaModels.get(modelId);
  if (model === undefined) return [];
  if (model.served === 'images') return ['image'];
  return model.medium === 'image' ? ['image', 'task'] : ['second', 'task'];
}

function named(units: readonly PriceUnit[]): string {
  return units.map((unit) => `per_${unit}`).join(' or ');
}
