import { mediaModels } from '../catalogue/media-models.ts';

type Body = Readonly<Record<string, unknown>>;

/** An https URL of something. */
export const mediaUrl = (file: string): string => `https://media.example.com/${file}`;

const prompt = 'a quiet sea';
const image_url = mediaUrl('sea.png');
const audio_url = mediaUrl('sea.mp3');
const video_url = mediaUrl('sea.mp4');

/** Required fields of a model in addition to the prompt or instead of it. */
const needed: Readonly<Record<string, Body>> = {
  'edit-image': { prompt, image_url },
  'motion-gen3-alpha-turbo': { prompt, image_url },
  'motion-aleph': { prompt, video_url },
  'vidC-v21-master-i2v': { prompt, image_url },
  'vidC-v25-i2v-pro': { prompt, image_url },
  'vidC-avatar-std': { prompt, image_url, audio_url },
  'vidC-avatar-pro': { prompt, image_url, audio_url },
  'delta-imagine-i2v': { prompt, image_url },
  'upscale-video': { video_url },
  'talk-audio': { driver_audio_url: audio_url, driver_image_url: image_url },
  'voice-v3': { text: 'Good morning.', voice_id: 'voice-1' },
  'motion-act-two': { character_video_url: video_url, driver_video_url: mediaUrl('dance.mp4') },
};

/** The shortest legal request for each media model; the first step of multi-step models. */
export const mediaBodies: ReadonlyMap<string, Body> = new Map(
  [...mediaModels.keys()].map((model) => [model, { model, ...(needed[model] ?? { prompt }) }]),
);

/** The shortest legal request of a model, with changes. */
export function mediaBody(model: string, changes: Body = {}): Body {
  return { ...mediaBodies.get(model), ...changes };
}
