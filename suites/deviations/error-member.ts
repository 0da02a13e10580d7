import { editChunks } from '../rewrite/mutation.ts';
import { inErrors } from '../rewrite/refusal-edits.ts';
import { isJsonObject } from '../values/json.ts';
import type { Deviation } from './deviation.ts';

/** The specified members of an error object. */
const specified = ['type', 'code', 'message', 'channel', 'param'];

/** Removes the deployment's own member of errors that quotes the upstream's answer. */
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
