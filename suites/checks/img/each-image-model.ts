import type { Kit } from '../../engine/kit.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One picture of each synchronous image model, all asked for at once as far as the cap allows. */
export async function eachImageModel(
  kit: Kit,
  judge: (model: string, exchange: Exchange) => Promise<void>,
): Promise<void> {
  await Promise.all(
    kit.media.modelsOf('images').map(async (model) => {
      kit.countCase();
      await judge(model, await kit.media.images(kit.media.minimal(model, kit.scene()), { label: model }));
    }),
  );
}
