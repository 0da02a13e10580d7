import { mediaModels } from '../oracle/media/models.ts';
import type { UnitPrice } from '../profile/money.ts';
import type { MediaRouteProfile, ProfileInput } from '../profile/profile.ts';
import type { StackChannel } from './channels.ts';

/**
 * What the reference stack has for images, video and audio: channels, prices, times, and the facts for its
 * profile.
 */

type Channels = Readonly<Record<string, StackChannel>>;

const studioModels = {
  'journey-v7': 'journey-7-native',
  'song-v5': 'song-5-native',
  'voice-v3': 'voice_v3',
  'voice-music': 'voice-music-native',
} as const;

/** Models made by polled jobs: all task models except the studio's. */
const videoModels = mediaModels
  .filter(({ id, endpoint }) => endpoint === 'tasks' && !Object.hasOwn(studioModels, id))
  .map(({ id }) => id);

const pictures = {
  'alpha-image-2': 'a2-image-2026-08',
  'gamma-3-pro-image': 'g3p-image-2026-09',
  'kontext-pro': 'kx-pro-1',
  'kontext-max': 'kx-max-1',
  'motion-gen4-image': 'mg4-image-1',
  'dream-4-0': 'dream-4-260801',
  'edit-image': 'edit-1',
  'vector-v3': 'vector-3',
} as const;

const videos: Readonly<Record<string, string>> = Object.fromEntries(
  videoModels.map((id) => [id, `${id.replaceAll('.', '-')}-native`]),
);

/** One channel for each media dialect, in every account of a tenant. */
export const mediaChannels: Channels = {
  pictures: { dialect: 'images', models: pictures },
  video: { dialect: 'jobs', models: videos },
  studio: { dialect: 'callback-jobs', models: studioModels, callbacks: true },
};

/** The models with a second channel, which serves when the first one fails: in the tenant's main account only. */
const spared = {
  pictures: ['kontext-max'],
  video: ['delta-imagine-t2v'],
  studio: ['voice-music', 'song-v5'],
} as const;

export const mediaSpareChannels: Channels = {
  'pictures-2': spare('images', spared.pictures, pictures),
  'video-2': spare('jobs', spared.video, videos),
  'studio-2': { ...spare('callback-jobs', spared.studio, studioModels), callbacks: true },
};

function spare(
  dialect: StackChannel['dialect'],
  models: readonly string[],
  native: Readonly<Record<string, string>>,
): StackChannel {
  return {
    dialect,
    models: Object.fromEntries(models.map((id) => [id, spareName(native, id)])),
    priority: 1,
  };
}

/** The model's name on the second channel, which differs, as in deployments in other regions. */
function spareName(native: Readonly<Record<string, string>>, id: string): string {
  return `${native[id]}@2`;
}

/** The media routes as the profile declares them. */
export const mediaRoutes: readonly MediaRouteProfile[] = [
  ...routes('pictures', 'images', pictures),
  ...routes('video', 'jobs', videos),
  ...routes('studio', 'callback-jobs', studioModels),
];

function routes(
  name: keyof typeof spared,
  dialect: MediaRouteProfile['channels'][number]['dialect'],
  native: Readonly<Record<string, string>>,
): MediaRouteProfile[] {
  return spared[name].map((model) => ({
    model,
    channels: [
      { name, dialect, native_model: native[model] },
      { name: `${name}-2`, dialect, native_model: spareName(native, model) },
    ],
  }));
}

/**
 * List prices: the three that the specification publishes, and invented ones. No two models have the same price.
 */
export const mediaPrices: Readonly<Record<string, UnitPrice>> = {
  'alpha-image-2': { per_image: { low: '0.04', medium: '0.07', high: '0.17', auto: '0.07' } },
  'gamma-3-pro-image': { per_image: '0.04' },
  'kontext-pro': { per_image: '0.04' },
  'kontext-max': { per_image: '0.081' },
  'motion-gen4-image': { per_image: '0.052003' },
  'dream-4-0': { per_image: '0.033' },
  'edit-image': { per_image: '0.061' },
  'vector-v3': { per_image: '0.083' },
  // By the image, so that the steps of a chain differ in price: a grid makes four, an upscale one.
  'journey-v7': { per_image: '0.030007' },
  ...Object.fromEntries(
    videoModels.map((id, place) => [id, { per_second: `0.0${51 + place}00${place % 10}` }]),
  ),
  'song-v5': { per_task: '0.310001' },
  'voice-v3': { per_task: '0.021' },
  'voice-music': { per_second: '0.004003' },
};

/** How the stack's gateway maintains tasks: it polls often, so that checks with jobs of 60 ms are quick. */
export const stackTasks = {
  poll_ms: 40,
  poll_most_ms: 10_000,
  deadline_ms: 600_000,
  retention_ms: 3_600_000,
  start_again_ms: 50,
  start_tries: 4,
  poll_tries: 4,
} as const;

type MediaFacts = Pick<ProfileInput, 'images' | 'tasks' | 'media' | 'video' | 'song'>;

/** Simulated upstreams do not fetch anything, so any URL will do. */
const linkTo = (file: string): string[] => [`https://media.example.com/files/${file}`];

export const mediaFacts: MediaFacts = {
  images: { shared_fields: 'strict' },
  tasks: {
    deadline_ms: stackTasks.deadline_ms,
    retention_ms: stackTasks.retention_ms,
    duration_sec: 'output',
    states_within_ms: 20_000,
  },
  media: {
    image_urls: linkTo('sea.png'),
    video_urls: linkTo('sea.mp4'),
    audio_urls: linkTo('sea.mp3'),
    style_ids: ['digital-illustration', 'vector-illustration'],
    voice_ids: ['voice_sea', 'voice_shore'],
    guards: true,
  },
  video: { shared_fields: 'strict' },
  song: {
    actions: {
      ...Object.fromEntries(
        ['extend', 'cover', 'lyrics', 'add-vocals', 'instrumental', 'stem', 'mv', 'wav', 'cover-img'].map(
          (action) => [action, {}],
        ),
      ),
      mashup: { body: { parent_task_ids: ['$TASK_1', '$TASK_2'] } },
      replace: { body: { start: 5, end: 12 } },
      persona: { body: { persona_id: 'persona_sea' } },
      'upload-extend': { body: { audio_url: '$AUDIO_URL' } },
    },
  },
};
