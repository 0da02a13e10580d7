import { isObject } from '../../../http/parse-json.ts';
import { wellFormedJson } from '../../native-body/well-formed-json.ts';
import type { CompatBodies } from '../compat-bodies.ts';

/** Bodies in the generate-content dialect; model and stream stand in its path. */
export const compatGenerateContent: CompatBodies = {
  body: ({ fields, maxTokens }, native) => {
    const given = isObject(native.body.generationConfig) ? native.body.generationConfig : {};
    const { stopSequences: stops, ...rest } = given;
    const config = {
      ...rest,
      ...(stops !== undefined && fields.stop !== null && { stopSequences: stops }),
      ...(maxTokens !== native.maxTokens && { maxOutputTokens: maxTokens }),
    };
    const isGiven = 'generationConfig' in native.body || Object.keys(config).length > 0;
    return wellFormedJson({ ...native.body, ...(isGiven && { generationConfig: config }) });
  },
  countBody: ({ body }, nativeModel) =>
    wellFormedJson({ generateContentRequest: { model: `models/${nativeModel}`, ...body } }),
};
