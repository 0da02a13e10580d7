import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { fillable } from '../../steps/fields/media-inputs.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Asks each synchronous image model for one picture, all at once as far as the cap allows. */
export async function eachImageModel(
  parts: CheckParts,
  judge: (model: string, exchange: Exchange) => Promise<void>,
): Promise<void> {
  const { target, cases, images, newScene } = parts;
  await Promise.all(
    fillable(parts, target.enabledOf('images')).map(async (model) => {
      cases.count();
      await judge(model, await images.generate(newScene().minimalMedia(model), { label: model }));
    }),
  );
}
