import { renderLrc } from './lrc.ts';
import { renderMp3 } from './mp3.ts';
import { renderMp4 } from './mp4.ts';
import { type Picture, renderPng } from './png.ts';
import { renderWav } from './wav.ts';

/** The kinds of files that models make, with their content types. */
export const fileTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  lrc: 'text/plain; charset=utf-8',
} as const;
export type FileExt = keyof typeof fileTypes;

/** A file that a model made. Its bytes are rendered on each read, always the same. */
export interface GeneratedFile {
  readonly ext: FileExt;
  /** The duration in seconds; null for files without one. */
  readonly seconds: number | null;
  /** The title in the file's metadata. */
  readonly title: string;
  /** For images, the source from which others can be derived; otherwise null. */
  readonly picture: Picture | null;
  readonly bytes: () => Buffer;
}

export function pictureFile(picture: Picture): GeneratedFile {
  return { ext: 'png', seconds: null, title: picture.description, picture, bytes: () => renderPng(picture) };
}

export function filmFile(seconds: number, title: string): GeneratedFile {
  return { ext: 'mp4', seconds, title, picture: null, bytes: () => renderMp4(seconds, title) };
}

export function soundFile(ext: 'mp3' | 'wav', seconds: number, title: string): GeneratedFile {
  const render = ext === 'mp3' ? renderMp3 : renderWav;
  return { ext, seconds, title, picture: null, bytes: () => render(seconds, title) };
}

export function lyricsFile(seconds: number, title: string, lines: readonly string[]): GeneratedFile {
  return { ext: 'lrc', seconds: null, title, picture: null, bytes: () => renderLrc(title, seconds, lines) };
}
