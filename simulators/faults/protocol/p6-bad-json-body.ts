import type { Fault } from '../../fault-contract/fault.ts';
import { editText, frameOf } from '../native/answer-json.ts';

/** How many deltas of a stream are still good. */
const defaultAfter = 1;

/** Of a stream one event is spoilt, and the others go on as if nothing were. */
export const badJsonBody: Fault = {
  id: 'P6',
  kind: 'edit',
  answer: (given, { form, after }) => {
    const spoil = (json: string): string =>
      form === 'trailing-garbage' ? `${json}]}, "and": ` : json.slice(0, Math.floor(json.length / 2));
    const spoilt = frameOf(given, after ?? defaultAfter);
    return {
      ...given,
      frames: given.frames.map((frame, at) => (at === spoilt ? editText(frame, spoil) : frame)),
    };
  },
};
