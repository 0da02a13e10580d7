import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeMedia, sniff } from './media.ts';

const file = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/media/${name}`, import.meta.url)));

describe('the type of media by their bytes', () => {
  it.for([
    ['sea.png', /^png of \d+x\d+$/],
    ['sea.jpg', /^jpeg of \d+x\d+$/],
    ['sea.webp', /^webp of \d+x\d+$/],
    ['sea.mp4', /^mp4 of [\d.]+ s$/],
    ['sea.mp3', /^mp3 of [\d.]+ s$/],
    ['sea.wav', /^wav of [\d.]+ s$/],
  ] as const)('%s is recognised with its size or length', ([name, expected]) => {
    expect(describeMedia(sniff(file(name)))).toMatch(expected);
  });

  it.for(['sea.png', 'sea.jpg', 'sea.webp', 'sea.mp4', 'sea.mp3', 'sea.wav'])(
    '%s truncated is not recognised',
    (name) => {
      const whole = file(name);
      expect(sniff(whole.subarray(0, Math.floor(whole.length * 0.7))).kind).toBe('none');
    },
  );

  it('a PNG with one bit changed is broken', () => {
    const bytes = Buffer.from(file('sea.png'));
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(sniff(bytes)).toEqual({ kind: 'none', actual: 'a broken png' });
  });

  it.for([
    ['[00:01.00] The sea\n[00:02.50] is wide', 'timed text'],
    ['The sea is wide.', 'text'],
    ['<!DOCTYPE html><p>Not found', 'HTML'],
    ['', 'no bytes'],
    ['\0\u0001\u0002', 'bytes that begin with 000102'],
  ] as const)('text %j is %s', ([text, expected]) => {
    expect(describeMedia(sniff(Buffer.from(text)))).toBe(expected);
  });
});
