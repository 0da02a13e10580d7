import type { MediaFiles } from '../../media/media-files.ts';

/** The store for the outputs of upstreams. */
export interface Keeping {
  readonly mediaFiles: MediaFiles;
  /** Largest file that is accepted from an upstream. */
  readonly maxMediaBytes: number;
}
