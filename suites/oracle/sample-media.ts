import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The kinds of media in image_url blocks ("Message roles"). */
export const mediaKinds = ['image', 'video', 'audio', 'pdf'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** A small complete file that a viewer or player opens, in both forms that a block may have. */
export interface SampleMedium {
  readonly kind: MediaKind;
  readonly mime: string;
  readonly dataUri: string;
  /** The bytes as the data URI has them. */
  readonly base64: string;
  /**
   * Nothing fetches it: gateways forward media URLs (reading B-28), and simulated upstreams only record them.
   */
  readonly link: string;
}

const folder = new URL('../../fixtures/media/', import.meta.url);

export const png = medium('image', 'image/png', 'sea.png');
export const jpeg = medium('image', 'image/jpeg', 'sea.jpg');
export const webp = medium('image', 'image/webp', 'sea.webp');

export const pdf = medium('pdf', 'application/pdf', 'sea.pdf');

/** The image formats that the specification names. */
export const pictures: readonly SampleMedium[] = [png, jpeg, webp];

/** One of each kind other than images; audio in two formats. */
export const otherMedia: readonly SampleMedium[] = [
  medium('video', 'video/mp4', 'sea.mp4'),
  medium('audio', 'audio/mpeg', 'sea.mp3'),
  medium('audio', 'audio/wav', 'sea.wav'),
  pdf,
];

export function dataUriOf(mime: string, bytes: Uint8Array): string {
  return `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;
}

function medium(kind: MediaKind, mime: string, file: string): SampleMedium {
  const bytes = readFileSync(fileURLToPath(new URL(file, folder)));
  return {
    kind,
    mime,
    dataUri: dataUriOf(mime, bytes),
    base64: bytes.toString('base64'),
    link: `https://media.example.com/files/${file}`,
  };
}
