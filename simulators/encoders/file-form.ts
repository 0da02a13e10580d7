import type { FileExt, GeneratedFile } from './generated-file.ts';
import { type JpegForm, renderJpeg } from './jpeg.ts';
import { type Mp3Version, renderAllRates } from './mp3-rates.ts';
import { renderWebp } from './webp.ts';

type Change = (file: GeneratedFile) => GeneratedFile;

const jpeg = (form: JpegForm): Change => asPicture('jpg', (picture) => renderJpeg(picture, form));
const webp = (isExtended: boolean): Change => asPicture('webp', (picture) => renderWebp(picture, isExtended));
const allRates = (version: Mp3Version): Change =>
  sameKind('mp3', ({ seconds, title }) => renderAllRates(seconds ?? 1, title, version));

/** Legal but rare forms of files, by name. Each changes one kind of file and leaves all others unchanged. */
const changes = {
  'long-box': sameKind('mp4', ({ bytes }) => withLongBox(bytes())),
  'odd-chunk': sameKind('wav', ({ bytes }) => withOddChunk(bytes())),
  'rates-1': allRates('1'),
  'rates-2': allRates('2'),
  'rates-2.5': allRates('2.5'),
  jpeg: jpeg({}),
  'jpeg-filled': jpeg({ filled: true }),
  'jpeg-restarts': jpeg({ restarts: true }),
  'webp-lossless': webp(false),
  'webp-extended': webp(true),
} satisfies Record<string, Change>;

export type FileForm = keyof typeof changes;
export const fileForms = Object.keys(changes) as readonly FileForm[];

/** The same file in that form, if its kind has it. */
export function inForm(file: GeneratedFile, form: FileForm | undefined): GeneratedFile {
  return form === undefined ? file : changes[form](file);
}

function sameKind(ext: FileExt, render: (file: GeneratedFile) => Buffer): Change {
  return (file) => (file.ext === ext ? { ...file, bytes: () => render(file) } : file);
}

function asPicture(ext: FileExt, render: (picture: NonNullable<GeneratedFile['picture']>) => Buffer): Change {
  return (file) => {
    const { picture } = file;
    return picture === null ? file : { ...file, ext, bytes: () => render(picture) };
  };
}

/**
 * The same video, but its media data box states its length in 64 bits, as in large videos. The longer box header replaces the
 * free box before it, so no offset changes.
 */
function withLongBox(film: Buffer): Buffer {
  const type = film.indexOf('mdat', 0, 'latin1');
  const [at, free] = [type - 4, type - 12];
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write('mdat', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(film.readUInt32BE(at) + 8), 8);
  return Buffer.concat([film.subarray(0, free), head, film.subarray(at + 8)]);
}

const formatEnd = 12 + 8 + 16;

/** The same WAV with a three-byte chunk and its padding byte before the samples. */
function withOddChunk(sound: Buffer): Buffer {
  const chunk = Buffer.from('note\x03\0\0\0sea\0', 'latin1');
  const whole = Buffer.concat([sound.subarray(0, formatEnd), chunk, sound.subarray(formatEnd)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}
