import type { Target } from '../../engine/parts/target.ts';
import { fieldsOf, type Medium } from '../../oracle/media/fields.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { Untestable } from '../../rules/violation.ts';

/** Models that answer with an image instead of a task. */
const pictureModels = ['kontext-pro', 'dream-4-0', 'alpha-image-2'];

/** Groups of models of one kind (video, audio, image grids); the first enabled model stands for its group. */
const kinds: readonly (readonly string[])[] = [
  ['vidB2', 'delta-imagine-t2v', 'vidC-v21-master-t2v', 'vidD-02'],
  ['song-v5', 'voice-music'],
  ['journey-v7'],
];

/** An enabled model that answers with an image at once; undefined when there is none. */
export function anyPictureModel(target: Target): string | undefined {
  return target.mediaModels.find((id) => pictureModels.includes(id));
}

/** The medium of the files of a task. */
export function mediumMade(model: string): Medium {
  // The specification lists it with audio (reading B-88).
  if (model === 'motion-act-two') return 'video';
  return mediaModel(model)?.medium ?? 'image';
}

/** The default length of a video in seconds; null when the specification states none. */
export function defaultSeconds(model: string): number | null {
  if (mediaModel(model)?.medium !== 'video') return null;
  // Its table has no such field: the length is fixed.
  if (model === 'vidA-3.1-quality') return 8;
  const preset = fieldsOf(model).find(({ name }) => name === 'duration')?.default;
  return typeof preset === 'number' ? preset : null;
}

/**
 * One enabled model of each kind.
 * @throws Untestable when there is none.
 */
export function oneOfEachKind(target: Target): readonly string[] {
  const found = kinds.flatMap((ids) => ids.find((id) => target.mediaModels.includes(id)) ?? []);
  if (found.length === 0) throw new Untestable(`models.enabled with one of ${kinds.flat().join(', ')}`);
  return found;
}

/** A task model for a check that works with any: drawn by seed among one of each kind. */
export function anyTaskModel(target: Target): string {
  return target.draw(oneOfEachKind(target));
}
