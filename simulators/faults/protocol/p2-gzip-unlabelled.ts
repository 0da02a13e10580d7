import type { Fault } from '../../fault-contract/fault.ts';
import { gzipFrames } from './compressed.ts';

/** The body is compressed, but no header states it. */
export const gzipUnlabelled: Fault = {
  id: 'P2',
  kind: 'edit',
  answer: (given) => ({ ...given, frames: gzipFrames(given.frames) }),
};
