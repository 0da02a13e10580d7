import type { Frame } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';

/** A UTF-8 continuation byte without a start byte. */
const loneContinuation: Buffer = Buffer.from([0x80]);

/** An invalid byte at the start of the answer's text; in a stream, of its first delta. */
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
  // Latin1 makes every byte one character, so the index counts bytes.
  const text = frame.bytes.toString('latin1');
  const opening = /"(?:content|text)": ?"/.exec(text) ?? /": ?"/.exec(text);
  if (opening === null) return frame;
  const at = opening.index + opening[0].length;
  return {
    ...frame,
    bytes: Buffer.concat([frame.bytes.subarray(0, at), loneContinuation, frame.bytes.subarray(at)]),
  };
}
