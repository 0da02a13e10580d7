import { z } from 'zod';
import { mediaModels } from '../../catalogue/media-models.ts';
import { flag, intFrom, longText, numberFrom, upstreamId, withDefault } from './fields.ts';
import { mediaUrl, type UrlRules, webhookUrl } from './https-url.ts';
import { imageFields } from './image-schemas.ts';
import { journeyActions, journeyFields } from './journey-schemas.ts';
import { songActions, songFields } from './song-schemas.ts';
import { videoFields } from './video-schemas.ts';

/**
 * The fields of the speech and background music models (specification, "Audio and music fields"; B-82, B-86,
 * B-87).
 */
const audioFields = {
  'voice-v3': {
    text: longText,
    voice_id: upstreamId,
    model_id: withDefault(upstreamId, 'voice_v3'),
    stability: withDefault(numberFrom(0, 1), 0.5),
    style: withDefault(numberFrom(0, 1), 0.3),
    use_speaker_boost: withDefault(flag, true),
  },
  'voice-music': { prompt: longText, duration: withDefault(intFrom(10, 120), 30) },
} as const;

export type MediaSchema = z.ZodType<Readonly<Record<string, unknown>>>;

/** How a model's request is checked: by one schema, or by one per action. The first action is the default. */
export type MediaSchemas =
  | { readonly kind: 'single'; readonly schema: MediaSchema }
  | { readonly kind: 'steps'; readonly first: string; readonly schemas: ReadonlyMap<string, MediaSchema> };

const written = new WeakMap<UrlRules, ReadonlyMap<string, MediaSchemas>>();

/**
 * The schemas of all media models by model id, made once for the same rules. The body's `model` has been looked up
 * before.
 */
export function mediaSchemas(rules: UrlRules): ReadonlyMap<string, MediaSchemas> {
  const schemas = written.get(rules) ?? writeSchemas(rules);
  written.set(rules, schemas);
  return schemas;
}

function writeSchemas(rules: UrlRules): ReadonlyMap<string, MediaSchemas> {
  const url = mediaUrl(rules);
  const webhook = webhookUrl(rules);
  const single: Readonly<Record<string, z.ZodRawShape>> = {
    ...imageFields(url),
    ...videoFields(url),
    ...audioFields,
  };
  const steps: Readonly<Record<string, Steps>> = {
    'journey-v7': { actions: journeyActions, fields: journeyFields },
    'song-v5': { actions: songActions, fields: songFields(url) },
  };
  // Every model accepts a webhook URL, even for images, although nothing is sent for them (B-52).
  const whole = (model: string, fields: z.ZodRawShape): MediaSchema => {
    const shared = mediaModels.get(model)?.served === 'images' ? sharedFields : {};
    return z.strictObject({ model: z.literal(model), ...shared, ...fields, webhook_url: webhook.nullish() });
  };
  const ofModel = (model: string): MediaSchemas => {
    const { actions, fields } = steps[model] ?? {};
    if (actions === undefined || fields === undefined)
      return { kind: 'single', schema: whole(model, single[model] ?? {}) };
    const schemas = actions.map((action) => [action, whole(model, fields[action] ?? {})] as const);
    return { kind: 'steps', first: actions[0], schemas: new Map(schemas) };
  };
  return new Map([...mediaModels.keys()].map((model) => [model, ofModel(model)]));
}

/** A model without an `n` parameter makes one image. So `n: 1` changes nothing, and is not forwarded (B-145). */
const sharedFields = {
  n: z
    .literal(1, 'must be 1')
    .nullish()
    .transform(() => undefined),
};

interface Steps {
  readonly actions: readonly [string, ...string[]];
  readonly fields: Readonly<Record<string, z.ZodRawShape>>;
}
