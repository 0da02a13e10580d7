import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One picture of each synchronous image model, all asked for at once as far as the cap allows. */
export async function eachImageModel(
  kit: CheckParts,
  judge: (model: string, exchange: Exchange) => Promise<void>,
): Promise<void> {
  await Promise.all(
    kit.target.mediaModelsOf('images').map(async (model) => {
      kit.cases.count();
      await judge(model, await kit.images.generate(kit.newScene().minimalMedia(model), { label: model }));
    }),
  );
}
