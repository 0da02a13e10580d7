import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Asks each synchronous image model for one picture, all at once as far as the cap allows. */
export async function eachImageModel(
  { target, cases, images, newScene }: CheckParts,
  judge: (model: string, exchange: Exchange) => Promise<void>,
): Promise<void> {
  await Promise.all(
    target.mediaModelsOf('images').map(async (model) => {
      cases.count();
      await judge(model, await images.generate(newScene().minimalMedia(model), { label: model }));
    }),
  );
}
