import type { MediaDialect } from '../../profile/dialects.ts';
import { isJsonObject } from '../../values/json.ts';
import { type Json, objectOf, readJson, textOrNull } from '../native/json.ts';
import { fieldsOf } from './fields.ts';
import { mediaModel } from './models.ts';
import { openFieldsOf } from './shared-fields.ts';

/** A media request as its upstream saw it, in the specification's terms. */
export interface MediaView {
  readonly dialect: MediaDialect;
  /** The upstream's own name of the model. */
  readonly nativeModel: string | null;
  /**
   * The action: a step of journey-v7, an action of song-v5, and the like; null where the dialect cannot express
   * it.
   */
  readonly action: string | null;
  /** Fields by our names. A native member that matches no field of the model has its own name after a `?`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The upstream's ids of the parent jobs. */
  readonly parents: readonly string[];
  /** The reference by which the upstream recognizes repeated submissions. */
  readonly reference: string | null;
}

/** Native names, each with the fields that it may mean, depending on the model. */
type Names = Readonly<Record<string, readonly string[]>>;

const same = (...names: string[]): Names => Object.fromEntries(names.map((name) => [name, [name]]));

const imageNames: Names = {
  ...same('prompt', 'size', 'quality', 'seed', 'watermark', 'style', 'user'),
  count: ['n'],
  ratio: ['aspect_ratio'],
  output: ['response_format'],
  rewrite_prompt: ['prompt_upsampling'],
  reference_images: ['reference_images', 'reference_image_url'],
  source_image: ['image_url'],
};

const jobNames: Names = {
  ...same('resolution'),
  prompt_text: ['prompt'],
  seconds: ['duration'],
  ratio: ['aspect_ratio'],
  generate_audio: ['audio'],
  first_frame: ['image', 'image_url'],
  source_video: ['video_url'],
  driving_audio: ['audio_url', 'driver_audio_url'],
  camera: ['camera_motion'],
  output_resolution: ['target_resolution'],
  portrait: ['driver_image_url'],
  character_video: ['character_video_url'],
  performance_video: ['driver_video_url'],
};

const callbackNames: Names = {
  ...same('prompt', 'stylize', 'weird', 'chaos', 'tile', 'index', 'text', 'stability', 'style'),
  ratio: ['aspect_ratio'],
  lyric: ['lyrics'],
  makeInstrumental: ['instrumental'],
  durationSec: ['duration'],
  uploadUrl: ['audio_url'],
  personaId: ['persona_id'],
  sectionStart: ['start'],
  sectionEnd: ['end'],
  voiceId: ['voice_id'],
  voiceModel: ['model_id'],
  speakerBoost: ['use_speaker_boost'],
};

/** Inputs of single song actions that the native protocol can express (reading B-84). */
export const actionInputs: readonly string[] = ['index', 'audio_url', 'persona_id', 'start', 'end'];

export function mediaDialectOf(path: string): MediaDialect | null {
  if (path.endsWith('/v1/images/generations')) return 'images';
  if (path.endsWith('/v1/jobs')) return 'jobs';
  return path.endsWith('/v1/generate') ? 'callback-jobs' : null;
}

/**
 * Reads an image call or a job submission; null for any other request. `path` and body are those at the upstream, `key` is
 * its Idempotency-Key header, and `model` is the model that the caller named.
 */
export function readMedia(
  { path, text, key }: { readonly path: string; readonly text: string; readonly key?: string | undefined },
  model: string,
): MediaView | null {
  const dialect = mediaDialectOf(path.split('?')[0] ?? path);
  if (dialect === null) return null;
  const body = bodyOf(text);
  const nativeModel = textOrNull(body.model);
  switch (dialect) {
    case 'images': {
      const { model: _, ...members } = body;
      const fields = fieldsIn(members, imageNames, model);
      return { dialect, nativeModel, action: null, fields, parents: [], reference: null };
    }
    case 'jobs': {
      const fields = fieldsIn(objectOf(body.input), jobNames, model);
      return { dialect, nativeModel, action: null, fields, parents: [], reference: key ?? null };
    }
    case 'callback-jobs':
      return {
        dialect,
        nativeModel,
        action: textOrNull(body.task),
        fields: fieldsIn(objectOf(body.params), callbackNames, model),
        parents: [body.parent, body.parents].flat().filter((id) => typeof id === 'string'),
        reference: textOrNull(body.reference),
      };
  }
}

function bodyOf(text: string): Json {
  try {
    return objectOf(readJson(text));
  } catch {
    return {};
  }
}

function fieldsIn(members: Json, names: Names, model: string): Record<string, unknown> {
  const listed = listedOf(model);
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([native, value]) => {
        const ours = Object.hasOwn(names, native) ? (names[native] ?? []) : [];
        const name = listed.find((one) => ours.includes(one)) ?? ours[0];
        return [name ?? `?${native}`, ourValue(name, value)];
      }),
  );
}

/** Converts the few values that differ between the native dialect and ours. */
function ourValue(name: string | undefined, value: unknown): unknown {
  if (name === 'reference_image_url' && Array.isArray(value) && value.length === 1) return value[0];
  if (name === 'response_format' && value === 'base64') return 'b64_json';
  return value;
}

function listedOf(model: string): readonly string[] {
  const known = mediaModel(model);
  const open = known === undefined ? [] : openFieldsOf(known);
  return [...fieldsOf(model), ...open].map(({ name }) => name).concat(actionInputs);
}

/** A field that did not reach the upstream as it was sent. */
export interface FieldFault {
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
  /** Whether the caller sent the field; if not, a default is wrong. */
  readonly sent: boolean;
}

/**
 * The first field of a model that did not reach the upstream as sent, or as its specified default. The answer's own rules
 * judge the number and form of images.
 */
export function mediaFault(
  body: Readonly<Record<string, unknown>>,
  view: MediaView,
  fields = fieldsOf(String(body.model)),
): FieldFault | null {
  for (const { name, form, default: preset } of fields) {
    if (name === 'response_format' || (form.kind === 'picture' && isJsonObject(body[name]))) continue;
    const sent = body[name] !== undefined && body[name] !== null;
    const expected = sent ? body[name] : preset;
    const actual = view.fields[name];
    if (expected === undefined && !isInvented(actual)) continue;
    if (!isSame(expected, actual))
      return { field: name, expected: shown(expected), actual: shown(actual), sent };
  }
  return null;
}

/** Whether the upstream got a value for a field that the caller omitted and that has no default. */
function isInvented(actual: unknown): boolean {
  return actual !== undefined && actual !== '' && !(Array.isArray(actual) && actual.length === 0);
}

function isSame(expected: unknown, actual: unknown): boolean {
  return JSON.stringify(expected) === JSON.stringify(actual);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 300);
}
