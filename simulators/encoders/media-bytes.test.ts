import { imageSize } from 'image-size';
import { describe, expect, it } from 'vitest';
import { mp3Seconds, readWav } from '../testing/read-media.ts';
import { inForm } from './file-form.ts';
import { filmFile, pictureFile, soundFile } from './generated-file.ts';
import { renderJpeg } from './jpeg.ts';
import { shapeOf } from './shape.ts';

describe('an image', () => {
  it('keeps its ratio, with the given longer side', () => {
    expect([shapeOf('16:9', 1920), shapeOf('9:16', 1920), shapeOf('1:1', 512)]).toEqual([
      [1920, 1080],
      [1080, 1920],
      [512, 512],
    ]);
    expect([shapeOf('7:5', 512), shapeOf('1:9999', 512)]).toEqual([
      [512, 366],
      [1, 512],
    ]);
  });
});

it('a video or a WAV in a rare form keeps its frames and samples', () => {
  const [film, sound] = [filmFile(5, 'a'), soundFile('wav', 3, 'odd')];
  const [usual, wide] = [film.bytes(), inForm(film, 'long-box').bytes()];
  expect([wide.length, wide.readUInt32BE(32), wide.readBigUInt64BE(40)]).toEqual([usual.length, 1, 53n]);
  expect(wide.subarray(48)).toEqual(usual.subarray(48));
  const odd = inForm(sound, 'odd-chunk').bytes();
  expect([odd.length - sound.bytes().length, readWav(odd)]).toEqual([12, 3]);
  expect(inForm(film, 'odd-chunk')).toBe(film);
});

it.each(['rates-1', 'rates-2', 'rates-2.5'] as const)(
  'an MP3 in the form %s has frames for its duration',
  (form) => {
    const bytes = inForm(soundFile('mp3', 7, 'job a'), form).bytes();
    expect(Math.abs(mp3Seconds(bytes.subarray(0, -128)) - 7)).toBeLessThan(0.06);
    expect(bytes.toString('latin1', bytes.length - 128).replaceAll('\0', '')).toBe('TAGjob a');
  },
);

it.each([
  ['jpeg', 'jpg', 'jpg'],
  ['jpeg-filled', 'jpg', 'jpg'],
  ['jpeg-restarts', 'jpg', 'jpg'],
  ['webp-lossless', 'webp', 'webp'],
  ['webp-extended', 'webp', 'webp'],
] as const)('an image in the form %s has its size', (form, ext, type) => {
  const picture = {
    width: 37,
    height: 29,
    sky: [200, 220, 255],
    sea: [0, 60, 120],
    description: 'a',
  } as const;
  const file = inForm(pictureFile(picture), form);
  expect(file.ext).toBe(ext);
  // The library does not skip the bytes before a marker.
  if (form !== 'jpeg-filled') expect(imageSize(file.bytes())).toMatchObject({ width: 37, height: 29, type });
});

it('a JPEG scan has one restart for each row and no other marker', () => {
  const picture = {
    width: 64,
    height: 41,
    sky: [200, 220, 255],
    sea: [0, 60, 120],
    description: 'a',
  } as const;
  const bytes = renderJpeg(picture, { restarts: true });
  const scan = bytes.subarray(bytes.indexOf(Buffer.from([0xff, 0xda])) + 14);
  const markers = [...scan.keys()]
    .filter((at) => scan[at] === 0xff && scan[at + 1] !== 0)
    .map((at) => scan[at + 1]);
  expect(markers).toEqual([0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd9]);
});
