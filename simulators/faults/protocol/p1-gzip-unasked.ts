import type { Frame } from '../../answers/native-answer.ts';
import { withHeaders } from '../../answers/whole-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { brotliFrames, deflateFrames, gzipFrames } from './compressed.ts';

const compressors: Readonly<Record<string, (frames: readonly Frame[]) => Frame[]>> = {
  gzip: gzipFrames,
  deflate: deflateFrames,
  br: brotliFrames,
};

/** Compresses the body regardless of `accept-encoding`, with a correct `content-encoding`. */
export const gzipUnasked: Fault = {
  id: 'P1',
  kind: 'edit',
  answer: (given, { form }) => {
    const coding = form ?? 'gzip';
    const compress = compressors[coding] ?? gzipFrames;
    return {
      ...given,
      headers: withHeaders(given.headers, { 'content-encoding': coding }),
      frames: compress(given.frames),
    };
  },
};
