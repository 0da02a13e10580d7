import { describe, expect, it } from 'vitest';
import { mediaBody, mediaUrl } from '../../testing/media-bodies.ts';
import { parseBody } from '../../testing/media-fields.ts';
import { callbackJobsBody, callbackJobsNames } from './callback-jobs.ts';
import { fieldFinder } from './field-names.ts';
import { imagesBody, imagesNames } from './images.ts';
import { jobsBody, jobsNames } from './jobs.ts';

const fieldsOf = (model: string, changes: object = {}) => parseBody(mediaBody(model, { ...changes })).fields;
const prompt = 'a quiet sea';
const url = mediaUrl('sea.png');

describe('the images dialect', () => {
  const imageOf = (model: string, changes: object = {}) =>
    JSON.parse(imagesBody(fieldsOf(model, changes), 'native'));
  const one = { model: 'native', prompt, count: 1, output: 'url' };

  it.for([
    ['alpha-image-2', {}, { ...one, size: '1024x1024', quality: 'auto' }],
    [
      'alpha-image-2',
      { n: 3, response_format: 'b64_json', size: 'auto', quality: 'high' },
      { ...one, count: 3, output: 'base64', size: 'auto', quality: 'high' },
    ],
    ['gamma-3-pro-image', {}, { ...one, ratio: '1:1' }],
    [
      'gamma-3-pro-image',
      { n: 4, seed: 7, aspect_ratio: '21:9' },
      { ...one, count: 4, seed: 7, ratio: '21:9' },
    ],
    ['kontext-pro', {}, { ...one, ratio: '1:1', rewrite_prompt: false }],
    [
      'kontext-pro',
      { prompt_upsampling: true, reference_image_url: url },
      { ...one, ratio: '1:1', rewrite_prompt: true, reference_images: [url] },
    ],
    ['kontext-max', { reference_image_url: url }, { ...one, ratio: '1:1', reference_images: [url] }],
    [
      'motion-gen4-image',
      { reference_images: [url, url] },
      { ...one, ratio: '16:9', reference_images: [url, url] },
    ],
    ['dream-4-0', {}, { ...one, size: '2K', ratio: '1:1', watermark: false }],
    ['edit-image', {}, { ...one, source_image: url }],
    ['vector-v3', { style: 'flat' }, { ...one, style: 'flat' }],
  ] as const)('gets everything that is promised of %s with %j', ([model, changes, native]) => {
    expect(imageOf(model, changes)).toEqual(native);
  });
});

describe('the jobs dialect', () => {
  const inputOf = (model: string, changes: object = {}) =>
    JSON.parse(jobsBody(fieldsOf(model, changes), 'native'));
  const video = mediaUrl('sea.mp4');
  const sound = mediaUrl('sea.mp3');

  it.for([
    [
      'vidA-3.1-quality',
      { image: url },
      {
        prompt_text: prompt,
        seconds: 8,
        ratio: '16:9',
        resolution: '1080p',
        generate_audio: true,
        first_frame: url,
      },
    ],
    ['vidB2', { duration: 10, aspect_ratio: '9:16' }, { prompt_text: prompt, seconds: 10, ratio: '9:16' }],
    [
      'motion-gen3-alpha-turbo',
      { camera_motion: 'zoom_in' },
      { prompt_text: prompt, first_frame: url, seconds: 5, camera: 'zoom_in' },
    ],
    ['motion-aleph', {}, { prompt_text: prompt, source_video: video }],
    ['vidC-avatar-std', {}, { prompt_text: prompt, first_frame: url, driving_audio: sound }],
    [
      'vidD-02',
      { prompt: '[Pan Left, Zoom In] a sea' },
      { prompt_text: '[Pan Left, Zoom In] a sea', seconds: 6 },
    ],
    ['upscale-video', {}, { source_video: video, output_resolution: '4k' }],
    ['talk-audio', {}, { driving_audio: sound, portrait: url }],
    ['motion-act-two', {}, { character_video: video, performance_video: mediaUrl('dance.mp4') }],
  ] as const)('is asked for what %s with %j is to make', ([model, changes, input]) => {
    expect(inputOf(model, changes)).toEqual({ model: 'native', input });
  });
});

describe('the callback-jobs dialect', () => {
  const bodyOf = (
    model: string,
    changes: object = {},
    parents: readonly string[] = [],
    callbackUrl: string | null = null,
  ) => {
    const given = Object.entries(mediaBody(model, { ...changes })).filter(([, value]) => value !== null);
    const { fields, action } = parseBody(Object.fromEntries(given));
    const job = { model, action, fields, reference: 'task_1', parents, callbackUrl };
    return JSON.parse(callbackJobsBody(job, 'native'));
  };
  const about = { model: 'native', reference: 'task_1' };

  it.for([
    [
      'journey-v7',
      { aspect_ratio: '7:5' },
      [],
      {
        task: 'imagine',
        params: { prompt, ratio: '7:5', stylize: 100, weird: 0, chaos: 0, tile: false },
      },
    ],
    [
      'journey-v7',
      { prompt: null, action: 'upscale', parent_task_id: 'task_0', index: 3 },
      ['n0'],
      { task: 'upscale', parent: 'n0', params: { index: 3 } },
    ],
    [
      'song-v5',
      { lyrics: 'la', duration: 90 },
      [],
      { task: 'generate', params: { prompt, lyric: 'la', makeInstrumental: false, durationSec: 90 } },
    ],
    [
      'song-v5',
      { prompt: null, action: 'mashup', parent_task_ids: ['task_0', 'task_9'] },
      ['n0', 'n9'],
      { task: 'mashup', parents: ['n0', 'n9'], params: { makeInstrumental: false, durationSec: 60 } },
    ],
    [
      'song-v5',
      { prompt: null, action: 'replace', parent_task_id: 'task_0', start: 2, end: 4.5 },
      ['n0'],
      {
        task: 'replace',
        parent: 'n0',
        params: { makeInstrumental: false, durationSec: 60, sectionStart: 2, sectionEnd: 4.5 },
      },
    ],
    [
      'song-v5',
      { prompt: null, action: 'upload-extend', audio_url: mediaUrl('own.mp3') },
      [],
      {
        task: 'upload-extend',
        params: { makeInstrumental: false, durationSec: 60, uploadUrl: mediaUrl('own.mp3') },
      },
    ],
    [
      'song-v5',
      { action: 'persona', persona_id: 'p1' },
      [],
      { task: 'persona', params: { prompt, makeInstrumental: false, durationSec: 60, personaId: 'p1' } },
    ],
    [
      'voice-v3',
      {},
      [],
      {
        task: 'speak',
        params: {
          text: 'Good morning.',
          voiceId: 'voice-1',
          voiceModel: 'voice_v3',
          stability: 0.5,
          style: 0.3,
          speakerBoost: true,
        },
      },
    ],
    ['voice-music', {}, [], { task: 'music', params: { prompt, durationSec: 30 } }],
  ] as const)('is asked for what %s with %j is to make', ([model, changes, parents, native]) => {
    expect(bodyOf(model, changes, parents)).toEqual({ ...about, ...native });
  });

  it('is given where to report back, if anywhere', () => {
    const callback_url = 'https://gateway.example.com/callbacks/studio';
    expect(bodyOf('voice-music', {}, [], callback_url)).toMatchObject({ ...about, callback_url });
    expect(bodyOf('voice-music')).not.toHaveProperty('callback_url');
  });
});

it.for([
  [imagesNames, 'ratio', 'aspect_ratio'],
  [imagesNames, 'size', 'size'],
  [jobsNames, 'input.seconds', 'duration'],
  [jobsNames, 'seconds', 'duration'],
  [jobsNames, 'input.first_frame[0].url', 'image_url'],
  [callbackJobsNames, 'params.durationSec', 'duration'],
  [jobsNames, 'input', null],
  [jobsNames, 'model', null],
  [jobsNames, '', null],
  [jobsNames, 7, null],
  [jobsNames, `input.${'x'.repeat(100_000)}`, null],
] as const)('in %# the field that an upstream means is reported by our name', ([names, path, field]) => {
  const fields = { aspect_ratio: '1:1', size: '2K', duration: 5, image_url: url };
  expect(fieldFinder(fields, names)(path)).toBe(field);
});
