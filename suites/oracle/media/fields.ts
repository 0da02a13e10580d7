/**
 * The field tables of the image, video and audio models, stated independently of the gateway. Sections: "Image
 * per-model parameters", "Video per-model parameters", "Audio and music fields", "Multi-step image workflow". The
 * shared tables are in `shared-fields.ts`.
 */

/** The form of a field's values. */
export type FieldForm =
  /** `max`: maximum characters, where the specification limits them. */
  | { readonly kind: 'text'; readonly max?: number }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'seconds'; readonly values: readonly number[] }
  | { readonly kind: 'integer'; readonly from?: number; readonly to?: number }
  | { readonly kind: 'number'; readonly from: number; readonly to: number }
  | { readonly kind: 'boolean' }
  /** An https URL. The specification leaves other URLs open: http and data URIs (readings B-54, B-78). */
  | { readonly kind: 'link'; readonly medium: Medium; readonly others: 'refused' | 'open' }
  | { readonly kind: 'links'; readonly medium: Medium; readonly max: number }
  /** An https URL or data URI of an image; `byTask`: or an object that names an earlier image task. */
  | { readonly kind: 'picture'; readonly byTask: boolean }
  /** `a:b` in positive integers. */
  | { readonly kind: 'ratio' }
  /** The id of an earlier task. */
  | { readonly kind: 'task' };

export type Medium = 'image' | 'video' | 'audio';

export interface MediaField {
  readonly name: string;
  readonly form: FieldForm;
  readonly required: boolean;
  /** The default of an omitted field; undefined where the specification names none. */
  readonly default?: string | number | boolean;
  /** The requirement about its values. */
  readonly row: string;
}

type Row = string;

const text = { kind: 'text' } as const;
const bool = { kind: 'boolean' } as const;
const anyInteger = { kind: 'integer' } as const;
const anyLink = (medium: Medium): FieldForm => ({ kind: 'link', medium, others: 'open' });
const oneOf = (...values: string[]): FieldForm => ({ kind: 'one-of', values });

const needed = (row: Row, name: string, form: FieldForm): MediaField => ({ name, form, required: true, row });

function optional(row: Row, name: string, form: FieldForm, preset?: MediaField['default']): MediaField {
  return { name, form, required: false, row, ...(preset === undefined ? {} : { default: preset }) };
}

const imagePrompt = (row: Row): MediaField => needed(row, 'prompt', { kind: 'text', max: 4_000 });
const reference = (row: Row): MediaField =>
  optional(row, 'reference_image_url', { kind: 'link', medium: 'image', others: 'refused' });
const seed = (row: Row): MediaField => optional(row, 'seed', anyInteger);
const count = (row: Row): MediaField => optional(row, 'n', { kind: 'integer', from: 1, to: 4 }, 1);
const sixRatios = oneOf('1:1', '16:9', '9:16', '4:3', '3:4', '21:9');
const fiveRatios = oneOf('16:9', '9:16', '1:1', '4:3', '3:4');

const images: Readonly<Record<string, readonly MediaField[]>> = {
  'alpha-image-2': [
    imagePrompt('IMGM-002'),
    optional('IMGM-003', 'size', oneOf('1024x1024', '1536x1024', '1024x1536', 'auto'), '1024x1024'),
    optional('IMGM-004', 'quality', oneOf('low', 'medium', 'high', 'auto'), 'auto'),
    count('IMGM-005'),
    optional('IMGM-006', 'response_format', oneOf('url', 'b64_json'), 'url'),
  ],
  'gamma-3-pro-image': [
    imagePrompt('IMGM-008'),
    optional('IMGM-009', 'aspect_ratio', sixRatios, '1:1'),
    count('IMGM-010'),
    seed('IMGM-011'),
  ],
  'kontext-pro': [
    imagePrompt('IMGM-013'),
    optional('IMGM-014', 'aspect_ratio', sixRatios, '1:1'),
    optional('IMGM-015', 'prompt_upsampling', bool, false),
    seed('IMGM-016'),
    reference('IMGM-017'),
  ],
  'kontext-max': [
    imagePrompt('IMGM-019'),
    optional('IMGM-020', 'aspect_ratio', sixRatios, '1:1'),
    reference('IMGM-021'),
    seed('IMGM-022'),
  ],
  'motion-gen4-image': [
    imagePrompt('IMGM-024'),
    optional('IMGM-025', 'aspect_ratio', fiveRatios, '16:9'),
    optional('IMGM-026', 'reference_images', { kind: 'links', medium: 'image', max: 3 }),
    seed('IMGM-027'),
  ],
  'journey-v7': [
    imagePrompt('IMGM-029'),
    optional('IMGM-030', 'aspect_ratio', { kind: 'ratio' }),
    optional('IMGM-031', 'stylize', { kind: 'integer', from: 0, to: 1_000 }, 100),
    optional('IMGM-032', 'weird', { kind: 'integer', from: 0, to: 3_000 }, 0),
    optional('IMGM-033', 'chaos', { kind: 'integer', from: 0, to: 100 }, 0),
    optional('IMGM-034', 'tile', bool, false),
  ],
  'dream-4-0': [
    imagePrompt('IMGM-036'),
    optional('IMGM-037', 'size', oneOf('1K', '2K', '4K'), '2K'),
    optional('IMGM-038', 'aspect_ratio', oneOf('1:1', '16:9', '9:16', '4:3', '3:4'), '1:1'),
    optional('IMGM-039', 'watermark', bool, false),
  ],
  'edit-image': [imagePrompt('IMGM-041'), needed('IMGM-042', 'image_url', anyLink('image'))],
  'vector-v3': [imagePrompt('IMGM-044'), optional('IMGM-045', 'style', text)],
};

const prompt = needed('VID-001', 'prompt', text);
const frame = (row: Row): MediaField => needed(row, 'image_url', anyLink('image'));
const frameIfAny = (row: Row): MediaField => optional(row, 'image_url', anyLink('image'));
const seconds = (row: Row, first: number): MediaField =>
  optional(row, 'duration', { kind: 'seconds', values: [first, 10] }, first);
const frames = (row: Row, ...ratios: string[]): MediaField =>
  optional(row, 'aspect_ratio', oneOf(...ratios), '16:9');

const videos: Readonly<Record<string, readonly MediaField[]>> = {
  'vidA-3.1-quality': [
    prompt,
    frames('VID-008', '16:9', '9:16', '1:1'),
    optional('VID-008', 'audio', bool, true),
    optional('VID-008', 'image', { kind: 'picture', byTask: true }),
    // The model's own table lists no such field but fixes the length, so clients may send 8 (reading B-76).
    optional('VID-008', 'duration', { kind: 'seconds', values: [8] }, 8),
  ],
  'vidA-3.1-fast': [
    prompt,
    frames('VID-011', '16:9', '9:16', '1:1'),
    optional('VID-011', 'audio', bool, true),
    optional('VID-011', 'image', { kind: 'picture', byTask: false }),
  ],
  vidB2: [prompt, seconds('VID-012', 5), frames('VID-012', '16:9', '9:16')],
  'motion-gen3-alpha-turbo': [
    prompt,
    frame('VID-013'),
    seconds('VID-013', 5),
    optional('VID-013', 'camera_motion', text),
  ],
  'motion-gen4': [prompt, frameIfAny('VID-014'), seconds('VID-014', 5)],
  'motion-aleph': [prompt, needed('VID-015', 'video_url', anyLink('video'))],
  'vidC-v21-master-i2v': [prompt, frame('VID-016'), seconds('VID-016', 5)],
  'vidC-v21-master-t2v': [prompt, seconds('VID-017', 5)],
  'vidC-v25-i2v-pro': [prompt, frame('VID-018'), seconds('VID-018', 5)],
  'vidC-v25-t2v-pro': [prompt, seconds('VID-019', 5)],
  'vidC-avatar-std': [prompt, frame('VID-020'), needed('VID-020', 'audio_url', anyLink('audio'))],
  'vidC-avatar-pro': [prompt, frame('VID-021'), needed('VID-021', 'audio_url', anyLink('audio'))],
  'vidD-02': [prompt, frameIfAny('VID-022'), seconds('VID-022', 6)],
  'delta-imagine-t2v': [prompt, seconds('VID-023', 5)],
  'delta-imagine-i2v': [prompt, frame('VID-024')],
  'upscale-video': [
    needed('VID-025', 'video_url', anyLink('video')),
    optional('VID-025', 'target_resolution', oneOf('1080p', '4k'), '4k'),
  ],
  'talk-audio': [
    needed('VID-026', 'driver_audio_url', anyLink('audio')),
    needed('VID-026', 'driver_image_url', anyLink('image')),
  ],
};

const unit = { kind: 'number', from: 0, to: 1 } as const;

const audios: Readonly<Record<string, readonly MediaField[]>> = {
  'song-v5': [
    needed('SONG-001', 'prompt', text),
    optional('SONG-002', 'lyrics', text),
    optional('SONG-003', 'instrumental', bool, false),
    optional('SONG-004', 'duration', { kind: 'integer', from: 30, to: 240 }, 60),
  ],
  'voice-v3': [
    needed('AUD-005', 'text', text),
    needed('AUD-006', 'voice_id', text),
    optional('AUD-007', 'model_id', text, 'voice_v3'),
    optional('AUD-008', 'stability', unit, 0.5),
    optional('AUD-009', 'style', unit, 0.3),
    optional('AUD-010', 'use_speaker_boost', bool, true),
  ],
  'voice-music': [
    needed('AUD-001', 'prompt', text),
    optional('AUD-013', 'duration', { kind: 'integer', from: 10, to: 120 }, 30),
  ],
  'motion-act-two': [
    needed('AUD-014', 'character_video_url', anyLink('video')),
    needed('AUD-014', 'driver_video_url', anyLink('video')),
  ],
};

/** The fields of each model, besides model and webhook_url. For models with steps, those of the first step. */
export const mediaFields: Readonly<Record<string, readonly MediaField[]>> = {
  ...images,
  ...videos,
  ...audios,
};

/**
 * The fields that a model lists.
 * @throws Error for a model that is not in the tables.
 */
export function fieldsOf(model: string): readonly MediaField[] {
  const fields = Object.hasOwn(mediaFields, model) ? mediaFields[model] : undefined;
  if (fields === undefined) throw new Error(`no field table for ${model}`);
  return fields;
}

/** The steps of journey-v7 that continue from an image of an earlier step. */
export const laterSteps = ['upscale', 'variation', 'reroll'] as const;
export type LaterStep = (typeof laterSteps)[number];

/** Fields of the later steps of journey-v7 and of song-v5's actions. */
export const stepFields: readonly string[] = ['action', 'parent_task_id', 'index'];

/** The output of a song action, as far as the specification says. */
export type SongResult = 'music' | 'words' | 'stems' | 'video' | 'wav' | 'cover';

export interface SongAction {
  readonly name: string;
  /** The parents it needs. `declared`: the specification does not name its other inputs (reading B-84). */
  readonly parent: 'none' | 'one';
  readonly inputs: 'plain' | 'declared';
  readonly makes: SongResult;
  readonly row: string;
}

const plain = { parent: 'one', inputs: 'plain' } as const;

/** The fourteen actions of song-v5. */
export const songActions: readonly SongAction[] = [
  { ...plain, name: 'generate', parent: 'none', makes: 'music', row: 'SONG-009' },
  { ...plain, name: 'extend', makes: 'music', row: 'SONG-010' },
  { ...plain, name: 'cover', makes: 'music', row: 'SONG-011' },
  { ...plain, name: 'lyrics', makes: 'words', row: 'SONG-012' },
  { ...plain, name: 'add-vocals', makes: 'music', row: 'SONG-013' },
  { ...plain, name: 'instrumental', makes: 'music', row: 'SONG-014' },
  { ...plain, name: 'mashup', inputs: 'declared', makes: 'music', row: 'SONG-015' },
  { ...plain, name: 'stem', makes: 'stems', row: 'SONG-016' },
  { ...plain, name: 'mv', makes: 'video', row: 'SONG-017' },
  { ...plain, name: 'wav', makes: 'wav', row: 'SONG-018' },
  { ...plain, name: 'cover-img', makes: 'cover', row: 'SONG-019' },
  { ...plain, name: 'replace', inputs: 'declared', makes: 'music', row: 'SONG-020' },
  { ...plain, name: 'persona', inputs: 'declared', makes: 'music', row: 'SONG-021' },
  { ...plain, name: 'upload-extend', parent: 'none', inputs: 'declared', makes: 'music', row: 'SONG-022' },
];

/** The kinds of files that a legal request of a model requires. */
export function neededMedia(model: string): readonly Medium[] {
  return fieldsOf(model)
    .filter(({ required }) => required)
    .flatMap(({ form }) => {
      if (form.kind === 'picture') return ['image' as const];
      return 'medium' in form ? [form.medium] : [];
    });
}
