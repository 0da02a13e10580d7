import type { Fault } from '../../fault-contract/fault.ts';
import { gzipFrames } from './compressed.ts';

/** Compressed, but no header says so. */
export const gzipUnlabelled: Fault = {
  id: 'P2',
  kind: 'edit',
  answer: (given) => ({ ...given, frames: gzipFrames(given.frames) }),
};
