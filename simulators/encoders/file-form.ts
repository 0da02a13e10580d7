import { withLongBox, withOddChunk } from './container-forms.ts';
import type { FileExt, GeneratedFile } from './generated-file.ts';
import { type JpegForm, renderJpeg } from './jpeg.ts';
import { type Mp3Version, renderAllRates } from './mp3-rates.ts';
import { renderWebp } from './webp.ts';

type Change = (file: GeneratedFile) => GeneratedFile;

const jpeg = (form: JpegForm): Change => asPicture('jpg', (picture) => renderJpeg(picture, form));
const webp = (isExtended: boolean): Change => asPicture('webp', (picture) => renderWebp(picture, isExtended));
const allRates = (version: Mp3Version): Change =>
  sameKind('mp3', ({ seconds, title }) => renderAllRates(seconds ?? 1, title, version));

/**
 * Legal forms of files that are rarer than those made by default, by name. Each changes files of one kind and leaves all
 * others as they are.
 */
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
