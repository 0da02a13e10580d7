import type { Fault } from '../../fault-contract/fault.ts';

const byteOrderMark: Buffer = Buffer.from([0xef, 0xbb, 0xbf]);

export const byteOrderMarkFirst: Fault = {
  id: 'P5',
  kind: 'edit',
  answer: (given) => ({
    ...given,
    frames: given.frames.map((frame, at) =>
      at === 0 ? { ...frame, bytes: Buffer.concat([byteOrderMark, frame.bytes]) } : frame,
    ),
  }),
};
