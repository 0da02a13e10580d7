import type { Target } from '../../engine/parts/target.ts';
import { fieldsOf, type Medium } from '../../oracle/media/fields.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { Untestable } from '../../rules/violation.ts';

/** Models that answer with a picture instead of a task. */
const pictureModels = ['kontext-pro', 'dream-4-0', 'alpha-image-2'];

/** One of the enabled models that make a picture at once; undefined where there is none. */
export function anyPictureModel(target: Target): string | undefined {
  return target.mediaModels.find((id) => pictureModels.includes(id));
}

/** What the files of a task are. */
export function mediumMade(model: string): Medium {
  // Listed with audio (reading B-88).
  if (model === 'motion-act-two') return 'video';
  return mediaModel(model)?.medium ?? 'image';
}

/** Seconds that a video lasts unless another length is asked for; null where the text names none. */
export function defaultSeconds(model: string): number | null {
  if (mediaModel(model)?.medium !== 'video') return null;
  // Its row lists no such field: the length is fixed.
  if (model === 'vidA-3.1-quality') return 8;
  const preset = fieldsOf(model).find(({ name }) => name === 'duration')?.default;
  return typeof preset === 'number' ? preset : null;
}

/** Models that stand for all of a kind, the first that is enabled of each: films, sound, grids of pictures. */
const kinds: readonly (readonly string[])[] = [
  ['vidB2', 'delta-imagine-t2v', 'vidC-v21-master-t2v', 'vidD-02'],
  ['song-v5', 'voice-music'],
  ['journey-v7'],
];

/** One model of each kind that is enabled. @throws Untestable when there is none. */
export function oneOfEachKind(target: Target): readonly string[] {
  const found = kinds.flatMap((ids) => ids.find((id) => target.mediaModels.includes(id)) ?? []);
  if (found.length === 0) throw new Untestable(`models.enabled with one of ${kinds.flat().join(', ')}`);
  return found;
}

/** The one model on which a check of tasks runs when any would do: drawn by seed among one of each kind. */
export function anyTaskModel(target: Target): string {
  return target.draw(oneOfEachKind(target));
}
