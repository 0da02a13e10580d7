import { type MediaModel, mediaModels } from '../catalogue/media-models.ts';
import { mediaSchemas } from '../requests/media/media-schemas.ts';
import type { NamedSchema } from './operation.ts';

/** The request schemas of the models on one path: one for each model, or for each of its steps. */
export function mediaRequests(served: MediaModel['served']): readonly NamedSchema[] {
  const schemas = mediaSchemas({ refuse: () => null });
  return [...mediaModels.values()]
    .filter((model) => model.served === served)
    .flatMap(({ id }): NamedSchema[] => {
      const ofModel = schemas.get(id);
      if (ofModel === undefined) return [];
      if (ofModel.kind === 'single') return [{ name: requestName(id), schema: ofModel.schema }];
      return [...ofModel.schemas].map(([action, schema]) => ({ name: requestName(id, action), schema }));
    });
}

/** For example `SongV5AddVocalsRequest` for `song-v5` and `add-vocals`. */
export function requestName(...parts: readonly string[]): string {
  const words = parts.flatMap((part) => part.split(/[^A-Za-z0-9]+/));
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Request`;
}
