import { isObject } from '../../../http/parse-json.ts';
import { wellFormedJson } from '../../native-body/well-formed-json.ts';
import type { CompatBodies } from '../compat-bodies.ts';
import { spelled } from './spelling.ts';

/** Bodies in the generate-content dialect; its path holds model and stream. */
export const compatGenerateContent: CompatBodies = {
  body: ({ fields, maxTokens }, native) => {
    const name = spelled(native.body, 'generationConfig');
    const given = native.body[name];
    const config = isObject(given) ? { ...given } : {};
    if (fields.stop === null) delete config[spelled(config, 'stopSequences')];
    if (maxTokens !== native.maxTokens) config[spelled(config, 'maxOutputTokens')] = maxTokens;
    const isGiven = isObject(given) || Object.keys(config).length > 0;
    return wellFormedJson({ ...native.body, ...(isGiven && { [name]: config }) });
  },
  countBody: ({ body }, nativeModel) =>
    wellFormedJson({ generateContentRequest: { model: `models/${nativeModel}`, ...body } }),
};
