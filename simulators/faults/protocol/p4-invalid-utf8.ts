import type { Frame } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';

/** A byte that only continues a character, where none began. */
const loneContinuation: Buffer = Buffer.from([0x80]);

/** Stands first in the text of the answer; of a stream in its first delta. */
export const invalidUtf8: Fault = {
  id: 'P4',
  kind: 'edit',
  answer: (given) => {
    const place = given.frames.findIndex(({ label }) => label === 'delta-0' || label === 'body');
    return {
      ...given,
      frames: given.frames.map((frame, at) => (at === Math.max(place, 0) ? spoilt(frame) : frame)),
    };
  },
};

function spoilt(frame: Frame): Frame {
  // Every byte is one character here, so that the place is one of bytes.
  const text = frame.bytes.toString('latin1');
  const opening = /"(?:content|text)": ?"/.exec(text) ?? /": ?"/.exec(text);
  if (opening === null) return frame;
  const at = opening.index + opening[0].length;
  return {
    ...frame,
    bytes: Buffer.concat([frame.bytes.subarray(0, at), loneContinuation, frame.bytes.subarray(at)]),
  };
}
