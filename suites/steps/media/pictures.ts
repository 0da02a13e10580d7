import type { FileForm } from 'gatecheck-simulators/client';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { legalRounds } from '../../generators/media-rounds.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { mediaInputsOf } from '../fields/media-inputs.ts';
import { imagesWay, type WayIn } from '../ways/way-in.ts';

/** The largest number of images in a drawn request. */
const maxPictures = 4;

/** Image requests of one shape. */
export interface ShapedPictures extends WayIn {
  /** The number of images in each request. */
  readonly n: number;
}

/**
 * Image requests for each enabled model that accepts fields besides a prompt, with all these fields: several images, other
 * sizes and forms, reference images. Values are drawn by seed.
 */
export function shapedPictures(parts: CheckParts): readonly ShapedPictures[] {
  return parts.target.mediaModels.flatMap((id) => {
    const model = mediaModel(id);
    return model?.endpoint === 'images' ? [shaped(parts, model)] : [];
  });
}

/** Shaped images of one model that makes several at once, and of one that does not, if available. */
export function fewShapedPictures(parts: CheckParts): readonly ShapedPictures[] {
  const all = parts.rng.shuffle(shapedPictures(parts));
  return [true, false].flatMap((isSeveral) => all.find(({ n }) => n > 1 === isSeveral) ?? []);
}

function shaped(parts: CheckParts, model: MediaModel): ShapedPictures {
  const { rng } = parts;
  const drawn = rng.int(maxPictures);
  const takesN = fieldsOf(model.id).some(({ name }) => name === 'n');
  const n = takesN ? 2 + rng.int(maxPictures - 1) : 1;
  const body = (scene: Scene): JsonObject => {
    const rounds = legalRounds(model, mediaInputsOf(parts, scene)).slice(1);
    return { ...rounds[drawn % rounds.length]?.body, model: model.id, ...(takesN ? { n } : {}) };
  };
  return {
    ...imagesWay(model.id),
    n,
    body,
    judgeServed: ({ images, newScene }, exchange, rule) => {
      const form = body(newScene()).response_format === 'b64_json' ? 'b64_json' : 'url';
      images.pictured(exchange, { ...rule, n, form });
    },
  };
}

/** The forms in which upstreams may send images besides PNG. The specification names all their formats. */
export const pictureForms: readonly FileForm[] = [
  'jpeg',
  'jpeg-filled',
  'jpeg-restarts',
  'webp-lossless',
  'webp-extended',
];

/** The number of images in a grid of journey-v7. */
const grid = 4;

/**
 * The possible numbers of images that a task made. A grid as one composed image may count as one or as all of its images
 * (reading B-64).
 */
export function picturesPaid(
  model: string,
  { action }: Readonly<Record<string, unknown>>,
  { resultUrls: { length } }: TaskRecord,
): readonly number[] {
  return model === 'journey-v7' && action !== 'upscale' && length === 1 ? [1, grid] : [length];
}
