import type { MediaFiles } from '../../media/media-files.ts';

/** Where the outputs of upstreams are stored. */
export interface Keeping {
  readonly mediaFiles: MediaFiles;
  /** Largest file that is accepted from an upstream. */
  readonly maxMediaBytes: number;
}
