import { editChunks } from '../rewrite/mutation.ts';
import { inErrors } from '../rewrite/refusal-edits.ts';
import { isJsonObject } from '../values/json.ts';
import type { Deviation } from './deviation.ts';

/** What the specification itself puts there. */
const specified = ['type', 'code', 'message', 'channel', 'param'];

/** A member of their own in which errors quote the upstream's answer. */
export const errorMember: Deviation = {
  id: 'error-member',
  title: 'errors have a member of their own that quotes the upstream',
  requirement: 'ERR-009',
  checks: ['err.upstream.text'],
  takes: 'the name of the member, such as metadata',
  undo: (given) => {
    if (typeof given !== 'string' || !/^[\w.-]+$/.test(given) || specified.includes(given)) return null;
    return {
      ...inErrors((error) => {
        delete error[given];
      }),
      events: editChunks((chunk) => {
        if (isJsonObject(chunk.error)) delete chunk.error[given];
        return [chunk];
      }),
    };
  },
};
