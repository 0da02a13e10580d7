import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { withLineEnds } from '../native/line-ends.ts';
import { splitSteps } from '../native/split-writes.ts';

/**
 * Lines arrive in pieces. Forms: `in-field` splits the field name, `in-line-end` splits CR from LF, `in-json`
 * splits the JSON into five writes, and `seven-bytes` splits everything.
 */
export const splitLine: Fault = { id: 'S19', kind: 'wire', actsOn: actsOn.events, steps };

function steps(given: NativeAnswer, { form, waitMs }: FaultContext): Step[] {
  switch (form) {
    case 'in-line-end':
      return splitSteps(
        withLineEnds(given, () => '\r\n'),
        (bytes) => offsetsOf(bytes, '\r\n', 1),
        { waitMs },
      );
    case 'in-json':
      return splitSteps(given, fifths, { waitMs });
    case 'seven-bytes':
      return splitSteps(given, (bytes) => every(7, 0, bytes.length), { waitMs: waitMs ?? 0 });
    default:
      return splitSteps(given, (bytes) => offsetsOf(bytes, 'data:', 2), { waitMs });
  }
}

/** The offsets at the given number of bytes into each occurrence of the text. */
function offsetsOf(bytes: Buffer, text: string, into: number): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) offsets.push(at + into);
  return offsets;
}

function fifths(bytes: Buffer): number[] {
  const [from, to] = [bytes.indexOf('{'), bytes.lastIndexOf('}')];
  if (from === -1) return [];
  const size = Math.max(1, Math.ceil((to - from) / 5));
  return every(size, from, to).slice(0, 5);
}

function every(size: number, from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / size) }, (_, k) => from + k * size);
}
