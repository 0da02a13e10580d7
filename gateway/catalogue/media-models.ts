/** The kinds of output other than text. */
export const media = ['image', 'video', 'audio'] as const;
export type Medium = (typeof media)[number];

/** What the gateway promises about a model that makes media (specification, "Image per-model parameters" and on). */
export interface MediaModel {
  readonly id: string;
  readonly medium: Medium;
  /** How it is served: images in one answer, or as a task that is read later. */
  readonly served: 'images' | 'tasks';
  /** Largest image, longer side first; null where the specification states none (reading B-55). */
  readonly maxPixels: readonly [long: number, short: number] | null;
}

const image = (id: string, long?: number, short?: number): MediaModel => ({
  id,
  medium: 'image',
  served: 'images',
  maxPixels: long === undefined || short === undefined ? null : [long, short],
});
const task = (medium: Medium, ...ids: readonly string[]): readonly MediaModel[] =>
  ids.map((id) => ({ id, medium, served: 'tasks', maxPixels: null }));

const rows: readonly MediaModel[] = [
  image('alpha-image-2', 1536, 1536),
  image('gamma-3-pro-image', 1408, 1408),
  image('kontext-pro', 2048, 2048),
  image('kontext-max', 2048, 2048),
  image('motion-gen4-image', 1920, 1080),
  image('dream-4-0', 4096, 4096),
  image('edit-image'),
  image('vector-v3'),
  { ...image('journey-v7', 2048, 2048), served: 'tasks' },
  ...task(
    'video',
    'vidA-3.1-quality',
    'vidA-3.1-fast',
    'vidB2',
    'motion-gen3-alpha-turbo',
    'motion-gen4',
    'motion-aleph',
    'vidC-v21-master-i2v',
    'vidC-v21-master-t2v',
    'vidC-v25-i2v-pro',
    'vidC-v25-t2v-pro',
    'vidC-avatar-std',
    'vidC-avatar-pro',
    'vidD-02',
    'delta-imagine-t2v',
    'delta-imagine-i2v',
    'upscale-video',
    'talk-audio',
  ),
  ...task('audio', 'song-v5', 'voice-v3', 'voice-music'),
  // Listed under audio, but its output is a video (reading B-88).
  ...task('video', 'motion-act-two'),
];

/** Every model of the catalogue that makes media, by id. */
export const mediaModels: ReadonlyMap<string, MediaModel> = new Map(rows.map((row) => [row.id, row]));
