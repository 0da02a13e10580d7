import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import type { MediaInputs } from '../../generators/media-cells.ts';
import type { Medium } from '../../oracle/media/fields.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';
import { Untestable } from '../../rules/violation.ts';

/** The query of a signed URL, which any other spelling would invalidate. */
const signature = 'Expires=1798761600&Signature=a%2Fb%7eC~%3D&e=';

const extensions: Readonly<Record<Medium, string>> = { image: 'png', video: 'mp4', audio: 'mp3' };

/**
 * Sources for the values of a scene's requests. Every text and URL contains the scene's marker and the tag of its
 * case.
 */
export function mediaInputsOf({ target, webhooks }: CheckParts, scene: Scene): MediaInputs {
  const { media, upstream } = target.profile;
  const isSimulated = upstream !== undefined;
  return {
    prompt: (tag) => scene.prompt(`${scene.texts.subject} (${tag})`),
    link: (medium, tag) =>
      isSimulated
        ? `https://media.example.com/${scene.marker}/${tag}/sea.${extensions[medium]}?${signature}`
        : scene.mediaUrl(medium),
    hasFile: (medium) => target.hasFile(medium),
    get voiceId() {
      return declared(media.voice_ids, isSimulated, 'calm-1', 'media.voices');
    },
    get styleId() {
      return declared(media.style_ids, isSimulated, 'line-drawing', 'media.styles');
    },
    webhookUrl: webhooks.anyUrl(scene.marker),
  };
}

/** Whether the suites can see what reached the upstreams. */
export function hasControl(target: Target): boolean {
  return target.profile.upstream !== undefined;
}

/**
 * A model by its id.
 * @throws Untestable where it is not enabled, or needs a file that the profile does not declare.
 */
export function enabledModel(target: Target, id: string): MediaModel {
  const model = mediaModel(id);
  if (model === undefined) throw new Error(`${id} is not in the catalogue`);
  if (!target.mediaModels.includes(id)) throw new Untestable(`models.enabled with ${id}`);
  const missing = target.missingFile(id);
  if (missing !== null) throw new Untestable(missing);
  return model;
}

/**
 * The models that are enabled and whose files the profile declares.
 * @throws Untestable when there is none.
 */
export function enabledModels(target: Target, models: readonly MediaModel[]): readonly MediaModel[] {
  const enabled = models.filter(({ id }) => target.mediaModels.includes(id));
  if (enabled.length === 0) throw new Untestable(`models.enabled with one of ${models.map(({ id }) => id)}`);
  const able = enabled.filter(({ id }) => target.missingFile(id) === null);
  if (able.length === 0) throw new Untestable(missingFor(target, enabled[0]?.id));
  return able;
}

/**
 * The models whose requests can be filled from the profile; the report names the others.
 * @throws Untestable when there is none.
 */
export function fillable({ target, judge }: CheckParts, ids: readonly string[]): readonly string[] {
  const able = ids.filter((id) => target.canFill(id));
  if (able.length === 0) throw new Untestable(missingFor(target, ids[0]));
  const others = ids.filter((id) => !able.includes(id));
  if (others.length > 0) judge.note(`not asked, for want of an input file or a voice: ${others.join(', ')}`);
  return able;
}

/** The fact that a model lacks. */
function missingFor(target: Target, id = ''): string {
  return target.missingFile(id) ?? 'media.voices';
}

/** Values that only the upstream knows, as declared. A simulated upstream accepts any value. */
function declared(known: readonly string[], isSimulated: boolean, any: string, fact: string): string {
  const [first = isSimulated ? any : undefined] = known;
  if (first === undefined) throw new Untestable(fact);
  return first;
}
