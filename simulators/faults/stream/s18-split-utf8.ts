import type { Fault } from '../../fault-contract/fault.ts';
import { splitSteps } from '../native/split-writes.ts';

/**
 * Every character of several bytes is torn: each of its bytes leaves in a write of its own. Forms: the writes are
 * `two-chunks` to HTTP, or parts of one.
 */
export const splitUtf8: Fault = {
  id: 'S18',
  kind: 'wire',
  steps: (given, { form }) => splitSteps(given, insideCharacters, { inOneChunk: form === 'one-chunk' }),
};

/** Before every byte that goes on with a character. */
function insideCharacters(bytes: Buffer): number[] {
  return [...bytes.keys()].filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
}
