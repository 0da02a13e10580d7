/** The kinds of input, as usage names them. */
export type Modality = 'TEXT' | 'IMAGE' | 'AUDIO' | 'VIDEO' | 'DOCUMENT';

/** The media types that this upstream accepts. */
const served: ReadonlyMap<string, Modality> = new Map(
  (
    [
      ['IMAGE', ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']],
      [
        'AUDIO',
        ['wav', 'x-wav', 'mp3', 'mpeg', 'mp4', 'm4a', 'x-m4a', 'aac', 'aiff', 'ogg', 'flac', 'webm'].map(
          (name) => `audio/${name}`,
        ),
      ],
      [
        'VIDEO',
        ['mp4', 'mpeg', 'mpg', 'mov', 'quicktime', 'avi', 'x-msvideo', 'x-flv', 'webm', 'wmv', '3gpp'].map(
          (name) => `video/${name}`,
        ),
      ],
      [
        'DOCUMENT',
        ['application/pdf', 'text/plain', 'text/html', 'text/css', 'text/csv', 'text/markdown', 'text/xml'],
      ],
    ] as const
  ).flatMap(([modality, types]) => types.map((type) => [type, modality] as const)),
);

export function isServedMedium(mimeType: string): boolean {
  return served.has(essence(mimeType));
}

/** The kind that a medium counts as. A medium behind a URL without a type counts as an image. */
export function modalityOf(mimeType: string | undefined): Modality {
  return served.get(essence(mimeType ?? '')) ?? 'IMAGE';
}

function essence(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
