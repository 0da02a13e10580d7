import { describe, expect, it } from 'vitest';
import { postGenerate, postImages, postJob } from '../testing/post-media.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators();

const picture = 'https://media.example.com/m/sea.png';
const film = 'https://media.example.com/m/sea.mp4';
const sound = 'https://media.example.com/m/sea.mp3';
const prompt_text = 'the sea';
const framed = { prompt_text, first_frame: picture, seconds: 10 };
const withSound = {
  prompt_text,
  ratio: '9:16',
  generate_audio: true,
  first_frame: 'data:image/png;base64,AA==',
};

/** All members that a model accepts, at once. */
const films: Readonly<Record<string, object>> = {
  'vidA-3-1-quality-native': { ...withSound, resolution: '1080p', seconds: 8 },
  'vidA-3-1-fast-native': { ...withSound, resolution: '720p', seconds: 8 },
  'vidB2-native': { prompt_text, seconds: 10, ratio: '16:9' },
  'motion-gen3-alpha-turbo-native': { ...framed, camera: 'zoom_in' },
  'motion-gen4-native': framed,
  'motion-aleph-native': { prompt_text, source_video: film },
  'vidC-v21-master-i2v-native': framed,
  'vidC-v21-master-t2v-native': { prompt_text, seconds: 5 },
  'vidC-v25-i2v-pro-native': framed,
  'vidC-v25-t2v-pro-native': { prompt_text, seconds: 5 },
  'vidC-avatar-std-native': { prompt_text, first_frame: picture, driving_audio: sound },
  'vidC-avatar-pro-native': { prompt_text, first_frame: picture, driving_audio: sound },
  'vidD-02-native': { prompt_text: '[Pan Right, Zoom In] the sea', first_frame: picture, seconds: 6 },
  'delta-imagine-t2v-native': { prompt_text, seconds: 10 },
  'delta-imagine-i2v-native': { prompt_text, first_frame: picture },
  'upscale-video-native': { source_video: film, output_resolution: '4k' },
  'talk-audio-native': { driving_audio: sound, portrait: picture },
  'motion-act-two-native': { character_video: film, performance_video: film },
};

const pictures: Readonly<Record<string, object>> = {
  'a2-image-2026-08': { size: '1024x1536', quality: 'high' },
  'g3p-image-2026-09': { ratio: '21:9', seed: -1 },
  'kx-pro-1': { ratio: '3:4', rewrite_prompt: true, seed: 1, reference_images: [picture] },
  'kx-max-1': { ratio: '3:4', seed: 1, reference_images: [picture] },
  'mg4-image-1': { ratio: '3:4', seed: 1, reference_images: [picture, picture, picture] },
  'dream-4-260801': { size: '2K', ratio: '9:16', watermark: false },
  'edit-1': { source_image: picture },
  'vector-3': { style: 'digital-illustration' },
};

const generated: Readonly<Record<string, object>> = {
  'journey-7-native': {
    task: 'imagine',
    params: { prompt: 'a', ratio: '7:5', stylize: 1000, weird: 3000, chaos: 100, tile: true },
  },
  'song-5-native': {
    task: 'generate',
    params: { prompt: 'a', lyric: '', makeInstrumental: true, durationSec: 240 },
  },
  voice_v3: {
    task: 'speak',
    params: { text: 'a', voiceId: 'v', voiceModel: 'other', stability: 0, style: 1, speakerBoost: false },
  },
  'voice-music-native': { task: 'music', params: { prompt: 'a', durationSec: 120 } },
};

describe('every native model takes all that it can be asked', () => {
  it.each(Object.entries(films))('%s', async (model, input) => {
    const answer = await postJob(simulators.base(simulators.tenant().name), { model, input });
    expect([answer.status, answer.json()]).toMatchObject([201, { status: 'queued' }]);
  });

  it.each(Object.entries(pictures))('%s', async (model, members) => {
    const body = { model, prompt: 'the sea', count: 4, output: 'url', ...members };
    const answer = await postImages(simulators.base(simulators.tenant().name), body);
    expect([answer.status, answer.json<{ data: [] }>().data.length]).toEqual([200, 4]);
  });

  it('also by the name of one deployment of it', async () => {
    const base = simulators.base(simulators.tenant().name);
    const film = await postJob(base, {
      model: 'delta-imagine-t2v-native@eu-2',
      input: { prompt_text: 'the sea' },
    });
    const pictured = await postImages(base, { model: 'kx-max-1@2', prompt: 'the sea' });
    const song = { model: 'voice-music-native@x', reference: 'r', ...generated['voice-music-native'] };
    const made = await postGenerate(base, song);
    expect([film.status, pictured.status, made.json()]).toMatchObject([201, 200, { code: 200 }]);
    expect((await postImages(base, { model: 'kx-max-1@', prompt: 'the sea' })).status).toBe(404);
  });

  it.each(Object.entries(generated))('%s', async (model, body) => {
    const answer = await postGenerate(simulators.base(simulators.tenant().name), {
      model,
      reference: 'r',
      ...body,
    });
    expect(answer.json()).toMatchObject({ code: 200, data: { taskId: expect.any(String) } });
  });
});
