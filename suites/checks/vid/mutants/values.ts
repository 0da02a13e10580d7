import { type Body, type Claim, objectsIn, upstream } from '../../../mutation/defects.ts';
import { inParams, toMedia } from '../../../mutation/media-edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';

/** Gateways that pass on something else than the fields that they were given. */

/** Changes the fields of submissions for one model, by its native name. */
function inJob(claim: Claim, model: string | null, edit: (input: Body) => void): Mutant {
  return upstream(
    claim,
    toMedia('jobs', (body) => {
      const [input] = objectsIn([body.input]);
      if (input !== undefined && (model === null || body.model === model)) edit(input);
    }),
  );
}

function inPicture(claim: Claim, model: string, edit: (body: Body) => void): Mutant {
  return upstream(
    claim,
    toMedia('images', (body) => {
      if (body.model === model) edit(body);
    }),
  );
}

const without =
  (name: string, when: (value: unknown) => boolean = () => true) =>
  (fields: Body): void => {
    if (when(fields[name])) delete fields[name];
  };

const pictures: readonly Mutant[] = [
  inPicture(
    ['img.ratio-sixteen-nine-dropped', 'the ratio 16:9 is not passed on', 'IMGM-025', 'forwarded'],
    'mg4-image-1',
    without('ratio', (ratio) => ratio === '16:9'),
  ),
  inPicture(
    ['img.quality-default-low', 'an omitted quality is sent as low', 'IMG-030', 'default-sent'],
    'a2-image-2026-08',
    (body) => {
      if (body.quality === 'auto') body.quality = 'low';
    },
  ),
  inPicture(
    ['imgm.upsampling-dropped', 'prompt_upsampling is not passed on', 'IMGM-046', 'forwarded'],
    'kx-pro-1',
    without('rewrite_prompt', (value) => value === true),
  ),
  inPicture(
    ['imgm.prompt-improved', 'the gateway improves the prompt itself', 'IMGM-046', 'forwarded'],
    'kx-pro-1',
    (body) => {
      body.prompt = `${String(body.prompt)} Highly detailed.`;
    },
  ),
  inPicture(
    ['imgm.seed-dropped', 'the seed is not passed on', 'IMGM-047', 'forwarded'],
    'g3p-image-2026-09',
    without('seed'),
  ),
  inPicture(
    ['imgm.seed-zero-dropped', 'a seed of 0 counts as none', 'IMGM-047', 'forwarded'],
    'g3p-image-2026-09',
    without('seed', (seed) => seed === 0),
  ),
  inPicture(
    [
      'imgm.watermark-left-to-upstream',
      'an omitted watermark is left to the upstream',
      'IMGM-048',
      'default-sent',
    ],
    'dream-4-260801',
    without('watermark', (value) => value === false),
  ),
  inPicture(
    ['imgm.watermark-dropped', 'a watermark that is asked for is not passed on', 'IMGM-048', 'forwarded'],
    'dream-4-260801',
    without('watermark', (value) => value === true),
  ),
];

const films: readonly Mutant[] = [
  inJob(
    ['vid.default-left-out', 'an omitted duration is left to the upstream', 'VID-027', 'default-sent'],
    'vidD-02-native',
    without('seconds', (value) => value === 6),
  ),
  inJob(
    ['vid.default-five-everywhere', 'an omitted duration is 5 s on every model', 'VID-027', 'default-sent'],
    'vidA-3-1-quality-native',
    (input) => {
      input.seconds = 5;
    },
  ),
  inJob(
    ['vid.audio-left-out', 'an omitted audio is left to the upstream', 'VID-028', 'default-sent'],
    null,
    without('generate_audio', (value) => value === true),
  ),
  inJob(
    ['vid.audio-false-dropped', 'an explicit audio false counts as missing', 'VID-028', 'forwarded'],
    null,
    (input) => {
      if (input.generate_audio === false) input.generate_audio = true;
    },
  ),
  inJob(
    ['vid.brackets-stripped', 'brackets of a prompt are stripped', 'VID-031', 'verbatim'],
    'vidD-02-native',
    (input) => {
      input.prompt_text = String(input.prompt_text).replaceAll(/[[\]]/g, '');
    },
  ),
  inJob(
    ['vid.directives-tidied', 'blanks after the commas of directives are put right', 'VID-031', 'verbatim'],
    'vidD-02-native',
    (input) => {
      input.prompt_text = String(input.prompt_text).replaceAll(/,(?=\w)/g, ', ');
    },
  ),
  inJob(
    ['vid.ratio-dropped', 'aspect_ratio is not passed on', 'VID-032', 'forwarded'],
    'vidB2-native',
    without('ratio', (ratio) => ratio === '9:16'),
  ),
  inJob(
    ['vid.camera-dropped', 'camera_motion is not passed on', 'VID-032', 'forwarded'],
    'motion-gen3-alpha-turbo-native',
    without('camera'),
  ),
  inJob(
    ['vid.media-swapped', 'the two films of a performance are mixed up', 'VID-033', 'forwarded'],
    'motion-act-two-native',
    (input) => {
      [input.character_video, input.performance_video] = [input.performance_video, input.character_video];
    },
  ),
  inJob(
    ['vid.frame-dropped', 'an optional first frame is not passed on', 'VID-033', 'forwarded'],
    'motion-gen4-native',
    without('first_frame'),
  ),
];

const isModel =
  (name: string) =>
  ({ model }: Body): boolean =>
    model === name;
const [speech, music, song, journey] = [
  'voice_v3',
  'voice-music-native',
  'song-5-native',
  'journey-7-native',
].map(isModel) as [
  (body: Body) => boolean,
  (body: Body) => boolean,
  (body: Body) => boolean,
  (body: Body) => boolean,
];

const sounds: readonly Mutant[] = [
  inParams(
    ['aud.model-left-out', 'an omitted model_id is left to the upstream', 'AUD-007', 'default-sent'],
    speech,
    without('voiceModel'),
  ),
  inParams(
    ['aud.stability-zero', 'a stability of 0 counts as missing', 'AUD-008', 'forwarded'],
    speech,
    (params) => {
      if (params.stability === 0) params.stability = 0.5;
    },
  ),
  inParams(['aud.style-default', 'an omitted style is 0', 'AUD-009', 'default-sent'], speech, (params) => {
    if (params.style === 0.3) params.style = 0;
  }),
  inParams(
    ['aud.boost-false', 'an explicit false counts as missing', 'AUD-010', 'forwarded'],
    speech,
    (params) => {
      params.speakerBoost = true;
    },
  ),
  inParams(
    ['aud.music-default', 'an omitted duration of music is left to the upstream', 'AUD-013', 'default-sent'],
    music,
    without('durationSec', (value) => value === 30),
  ),
  inParams(
    ['song.lyrics-dropped', 'lyrics are not passed on', 'SONG-009', 'lyrics-forwarded'],
    song,
    without('lyric'),
  ),
  inParams(
    [
      'song.instrumental-left-out',
      'an omitted instrumental is left to the upstream',
      'SONG-009',
      'default-sent',
    ],
    song,
    without('makeInstrumental', (value) => value === false),
  ),
  inParams(['song.prompt-cut', 'the prompt of a song is cut', 'SONG-009', 'forwarded'], song, (params) => {
    params.prompt = String(params.prompt).replace('.', '');
  }),
];

const steps: readonly Mutant[] = [
  inParams(
    ['jrny.chaos-dropped', 'chaos is not passed on', 'JRNY-021', 'forwarded'],
    journey,
    without('chaos', (chaos) => chaos === 100),
  ),
  inParams(
    ['jrny.tile-left-out', 'an omitted tile is left to the upstream', 'JRNY-021', 'default-sent'],
    journey,
    without('tile', (tile) => tile === false),
  ),
];

export const mediaValueMutants: readonly Mutant[] = [...pictures, ...films, ...sounds, ...steps];
