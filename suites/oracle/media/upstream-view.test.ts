import { describe, expect, it } from 'vitest';
import { mediaFault, readMedia } from './upstream-view.ts';

const imageCall = (body: object): Parameters<typeof readMedia>[0] => ({
  path: '/lane-01/pictures/v1/images/generations',
  text: JSON.stringify(body),
});

describe('a media request at its upstream', () => {
  it('is translated from the images dialect into our names', () => {
    const view = readMedia(
      imageCall({
        model: 'kx-pro-1',
        prompt: 'Sea',
        ratio: '1:1',
        rewrite_prompt: false,
        reference_images: ['https://a.example/x'],
        count: 1,
      }),
      'kontext-pro',
    );
    expect(view).toMatchObject({ dialect: 'images', nativeModel: 'kx-pro-1', action: null });
    expect(view?.fields).toEqual({
      prompt: 'Sea',
      aspect_ratio: '1:1',
      prompt_upsampling: false,
      reference_image_url: 'https://a.example/x',
      n: 1,
    });
  });

  it('is read by its model when one native name means two fields', () => {
    const job = {
      model: 'm',
      input: { prompt_text: 'Sea', first_frame: 'https://a.example/x', driving_audio: 'https://a.example/y' },
    };
    const at = { path: '/lane-01/video/v1/jobs', text: JSON.stringify(job), key: 'k-1' };
    expect(readMedia(at, 'vidC-avatar-std')?.fields).toEqual({
      prompt: 'Sea',
      image_url: 'https://a.example/x',
      audio_url: 'https://a.example/y',
    });
    const view = readMedia(at, 'vidA-3.1-fast');
    expect(view?.fields).toHaveProperty('image', 'https://a.example/x');
    expect(view?.reference).toBe('k-1');
  });

  it('has its action and parents in the dialect of jobs with callbacks', () => {
    const body = {
      model: 'song-5-native',
      task: 'mashup',
      reference: 'task_1',
      params: { durationSec: 60 },
      parents: ['a', 'b'],
    };
    const view = readMedia({ path: '/x/studio/v1/generate', text: JSON.stringify(body) }, 'song-v5');
    expect(view).toMatchObject({ action: 'mashup', parents: ['a', 'b'], reference: 'task_1' });
    expect(view?.fields).toEqual({ duration: 60 });
  });

  it('is not read at any other path', () => {
    expect(readMedia({ path: '/x/studio/v1/record?taskId=1', text: '' }, 'song-v5')).toBe(null);
  });
});

describe('the sent and the received request', () => {
  const arrived = (native: object) => readMedia(imageCall(native), 'dream-4-0');

  it('are equal when omitted fields arrive as their defaults', () => {
    const view = arrived({ prompt: 'Sea', size: '2K', ratio: '1:1', watermark: false });
    expect(view && mediaFault({ model: 'dream-4-0', prompt: 'Sea' }, view)).toBe(null);
  });

  it('differ by a missing default', () => {
    const view = arrived({ prompt: 'Sea', size: '2K', ratio: '1:1' });
    expect(view && mediaFault({ model: 'dream-4-0', prompt: 'Sea' }, view)).toEqual({
      field: 'watermark',
      expected: 'false',
      actual: 'nothing',
      sent: false,
    });
  });

  it('differ by a changed value, and by an additional one', () => {
    const view = arrived({ prompt: 'sea', size: '2K', ratio: '1:1', watermark: false });
    expect(view && mediaFault({ model: 'dream-4-0', prompt: 'Sea' }, view)).toMatchObject({
      field: 'prompt',
      sent: true,
    });
    const seeded = readMedia(imageCall({ prompt: 'Sea', ratio: '1:1', seed: 5 }), 'kontext-max');
    expect(seeded && mediaFault({ model: 'kontext-max', prompt: 'Sea' }, seeded)).toMatchObject({
      field: 'seed',
    });
  });
});
