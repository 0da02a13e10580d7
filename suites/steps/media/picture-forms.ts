import type { FileForm } from 'gatecheck-simulators/client';

/** The forms in which upstreams may send pictures besides PNG, all of them in formats that the specification names. */
export const pictureForms: readonly FileForm[] = [
  'jpeg',
  'jpeg-filled',
  'jpeg-restarts',
  'webp-lossless',
  'webp-extended',
];
