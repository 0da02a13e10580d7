import type { MediaFiles } from '../../media/media-files.ts';

/** Where what upstreams make is kept. */
export interface Keeping {
  readonly mediaFiles: MediaFiles;
  /** Largest file that is taken from an upstream. */
  readonly maxMediaBytes: number;
}
