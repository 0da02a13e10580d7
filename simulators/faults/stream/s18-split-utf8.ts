import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { splitSteps } from '../native/split-writes.ts';

/**
 * Every multi-byte character is split: each of its bytes is a separate write. Forms: the writes are `two-chunks`
 * to HTTP, or parts of one.
 */
export const splitUtf8: Fault = {
  id: 'S18',
  kind: 'wire',
  actsOn: actsOn.wideText,
  steps: (given, { form, waitMs }) =>
    splitSteps(given, insideCharacters, { inOneChunk: form === 'one-chunk', waitMs }),
};

/** The offsets of all continuation bytes. */
function insideCharacters(bytes: Buffer): number[] {
  return [...bytes.keys()].filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
}
