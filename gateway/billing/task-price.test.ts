import { describe, expect, it } from 'vitest';
import { type MediaModel, mediaModels } from '../catalogue/media-models.ts';
import { createPriceList } from './price-list.ts';
import { maxChargeOf, taskPriceOf } from './task-price.ts';

const list = createPriceList([
  {
    model_id: 'alpha-image-2',
    unit: 'image',
    unit_pico: 7n,
    quality_pico: { low: 4n, medium: 6n, high: 17n },
  },
  { model_id: 'journey-v7', unit: 'image', unit_pico: 5n, quality_pico: null },
  { model_id: 'vidB2', unit: 'second', unit_pico: 3n, quality_pico: null },
  { model_id: 'song-v5', unit: 'second', unit_pico: 1n, quality_pico: null },
  { model_id: 'voice-v3', unit: 'task', unit_pico: 9n, quality_pico: null },
]);
const pricing = { markupBp: 100, modelMarkupBp: { vidB2: 0 } };

function model(id: string): MediaModel {
  const known = mediaModels.get(id);
  if (known === undefined) throw new Error(id);
  return known;
}

describe('the price of a request for media', () => {
  it.each([
    ['low', 4n],
    ['medium', 6n],
    ['high', 17n],
    ['auto', 7n],
    [undefined, 7n],
    ['toString', 7n],
  ])('is that of the requested quality: %s', (quality, unitPico) => {
    expect(taskPriceOf(list, pricing, model('alpha-image-2'), { quality })).toEqual({
      unit: 'image',
      unitPico,
      markupBp: 100,
    });
  });

  it('is zero without a list price, and uses the markup of its model', () => {
    expect(taskPriceOf(list, pricing, model('kontext-max'), {})).toMatchObject({
      unit: 'image',
      unitPico: 0n,
    });
    expect(taskPriceOf(list, pricing, model('motion-gen4'), {})).toMatchObject({
      unit: 'task',
      unitPico: 0n,
    });
    expect(taskPriceOf(list, pricing, model('vidB2'), {})).toMatchObject({ unitPico: 3n, markupBp: 0 });
  });

  it.each<[string, object, bigint]>([
    ['alpha-image-2', { n: 3, quality: 'high' }, 51n],
    ['alpha-image-2', {}, 7n],
    ['journey-v7', {}, 20n],
    ['vidB2', { duration: 10 }, 30n],
    ['vidB2', { duration: 'long' }, 1800n],
    ['song-v5', { duration: 30 }, 600n],
    ['voice-v3', {}, 9n],
  ])('holds the most that it can come to: %s with %j', (id, fields, max) => {
    const price = { ...taskPriceOf(list, pricing, model(id), { ...fields }), markupBp: 0 };
    expect(maxChargeOf(price, model(id), { ...fields })).toBe(max);
  });
});
