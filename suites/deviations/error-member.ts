import type { Failure } from 'gatecheck-reports/report';
import { editChunks } from '../rewrite/mutation.ts';
import { inErrors } from '../rewrite/refusal-edits.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import type { Deviation } from './deviation.ts';

/** The specified members of an error object. */
const specified = ['type', 'code', 'message', 'channel', 'param'];

/** The members of a failure's error that are not specified and have a value. */
function ownMembers({ exchange }: Failure): string[] {
  const body = exchange?.response?.body ?? '';
  const text = /^data: ?(\{.*"error".*)$/m.exec(body)?.[1] ?? body;
  const json = parseJson(text);
  const error = isJsonObject(json) && isJsonObject(json.error) ? json.error : {};
  return Object.keys(error).filter((name) => !specified.includes(name) && error[name] !== null);
}

/** Removes the deployment's own member of errors that quotes the upstream's answer. */
export const errorMember: Deviation = {
  id: 'error-member',
  title: 'errors have a member of their own that quotes the upstream',
  requirement: 'ERR-009',
  checks: ['err.upstream.text'],
  takes: 'the name of the member, such as metadata',
  fits: (failure) => ownMembers(failure).length > 0,
  seen: (failures) => failures.flatMap(ownMembers)[0] ?? null,
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
