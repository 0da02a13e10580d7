import type { Fault } from '../../fault-contract/fault.ts';
import { editText, frameOf } from '../native/answer-json.ts';

/** How many deltas of a stream are still valid. */
const defaultAfter = 1;

/** The body is not valid JSON. In a stream only one event is invalid, and the others follow as usual. */
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
