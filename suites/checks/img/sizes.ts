import { defineCheck } from '../../engine/check.ts';
import type { Fetched } from '../../engine/fetch-media.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** How many shapes a quick run draws beside the first and the last. */
const drawn = 1;

export const everyShapeIsWithinBounds = defineCheck({
  id: 'img.size.every-shape',
  title: 'for every requested size and shape, an image is no larger than the model promises',
  requirements: ['IMG-028'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { target, cases, newScene, images } = parts;
    const bounded = target.mediaModelsOf('images').filter((id) => mediaModel(id)?.maxPixels != null);
    await Promise.all(
      bounded.flatMap((model) =>
        shapesOf(parts, model).map(async (shape) => {
          cases.count();
          const body = { ...newScene().minimalMedia(model), ...shape };
          const label = `${model} ${JSON.stringify(shape)}`;
          const exchange = await images.generate(body, { label });
          const rule = { requirement: 'IMG-028', aspect: 'shape-served', form: null };
          const [picture] = images.pictured(exchange, rule).pictures;
          if (picture === undefined) return;
          judgeSize(model, await images.look(picture, exchange), exchange);
        }),
      ),
    );
  },
});

/** Every combination of the values of size and aspect_ratio; in a quick run a few. */
function shapesOf({ cases, rng }: CheckParts, model: string): Record<string, string>[] {
  const fields = fieldsOf(model).flatMap(({ name, form }) =>
    form.kind === 'one-of' && (name === 'size' || name === 'aspect_ratio')
      ? [{ name, values: form.values }]
      : [],
  );
  const all = fields.reduce<Record<string, string>[]>(
    (shapes, { name, values }) =>
      shapes.flatMap((shape) => values.map((value) => ({ ...shape, [name]: value }))),
    [{}],
  );
  if (cases.full) return all;
  const [first, ...rest] = all;
  const last = rest.pop();
  return [first ?? {}, ...(last === undefined ? [] : [last]), ...rng.shuffle(rest).slice(0, drawn)];
}

/** Judges that an image is no larger than its model promises, in either orientation (reading B-55). */
export function judgeSize(model: string, { sniffed }: Fetched, exchange: Exchange): void {
  const max = mediaModel(model)?.maxPixels ?? null;
  if (max === null || sniffed.kind !== 'image') return;
  const [long, short] = max;
  const { width, height } = sniffed;
  const rule = { requirement: 'IMG-028', aspect: 'within-most-pixels', exchange };
  const expected = `an image of at most ${long}x${short}, in either orientation`;
  const actual = `${width}x${height} of ${model}`;
  must(Math.max(width, height) <= long && Math.min(width, height) <= short, { ...rule, expected, actual });
}
