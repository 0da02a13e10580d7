import type { Medium } from './fields.ts';
/** The thirty image, video and audio models of the specification: their endpoint and medium. */
export interface MediaModel {
  readonly id: string;
  readonly endpoint: 'images' | 'tasks';
  readonly medium: Medium;
  /**
   * Long and short side of the largest image, pixels, in either orientation (reading B-55); null where the specification
   * names none.
   */
  readonly maxPixels: readonly [long: number, short: number] | null;
  /** The requirement about the model's fields. */
  readonly row: string;
}

const image = { endpoint: 'images', medium: 'image' } as const;
const video = { endpoint: 'tasks', medium: 'video', maxPixels: null } as const;
const audio = { endpoint: 'tasks', medium: 'audio', maxPixels: null } as const;

export const mediaModels: readonly MediaModel[] = [
  { ...image, id: 'alpha-image-2', maxPixels: [1536, 1536], row: 'IMGM-001' },
  { ...image, id: 'gamma-3-pro-image', maxPixels: [1408, 1408], row: 'IMGM-007' },
  { ...image, id: 'kontext-pro', maxPixels: [2048, 2048], row: 'IMGM-012' },
  { ...image, id: 'kontext-max', maxPixels: [2048, 2048], row: 'IMGM-018' },
  { ...image, id: 'motion-gen4-image', maxPixels: [1920, 1080], row: 'IMGM-023' },
  { ...image, id: 'journey-v7', endpoint: 'tasks', maxPixels: [2048, 2048], row: 'IMGM-028' },
  { ...image, id: 'dream-4-0', maxPixels: [4096, 4096], row: 'IMGM-035' },
  { ...image, id: 'edit-image', maxPixels: null, row: 'IMGM-040' },
  { ...image, id: 'vector-v3', maxPixels: null, row: 'IMGM-043' },
  { ...video, id: 'vidA-3.1-quality', row: 'VID-008' },
  { ...video, id: 'vidA-3.1-fast', row: 'VID-011' },
  { ...video, id: 'vidB2', row: 'VID-012' },
  { ...video, id: 'motion-gen3-alpha-turbo', row: 'VID-013' },
  { ...video, id: 'motion-gen4', row: 'VID-014' },
  { ...video, id: 'motion-aleph', row: 'VID-015' },
  { ...video, id: 'vidC-v21-master-i2v', row: 'VID-016' },
  { ...video, id: 'vidC-v21-master-t2v', row: 'VID-017' },
  { ...video, id: 'vidC-v25-i2v-pro', row: 'VID-018' },
  { ...video, id: 'vidC-v25-t2v-pro', row: 'VID-019' },
  { ...video, id: 'vidC-avatar-std', row: 'VID-020' },
  { ...video, id: 'vidC-avatar-pro', row: 'VID-021' },
  { ...video, id: 'vidD-02', row: 'VID-022' },
  { ...video, id: 'delta-imagine-t2v', row: 'VID-023' },
  { ...video, id: 'delta-imagine-i2v', row: 'VID-024' },
  { ...video, id: 'upscale-video', row: 'VID-025' },
  { ...video, id: 'talk-audio', row: 'VID-026' },
  { ...audio, id: 'song-v5', row: 'SONG-008' },
  { ...audio, id: 'voice-v3', row: 'AUD-012' },
  { ...audio, id: 'voice-music', row: 'AUD-013' },
  // Listed with audio, although it makes video (reading B-88).
  { ...audio, id: 'motion-act-two', row: 'AUD-014' },
];

export function mediaModel(id: string): MediaModel | undefined {
  return mediaModels.find((model) => model.id === id);
}
