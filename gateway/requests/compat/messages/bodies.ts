import { wellFormedJson } from '../../native-body/well-formed-json.ts';
import type { CompatBodies } from '../compat-bodies.ts';

/** The fields of a body that belong to the prompt. */
const promptFields = ['system', 'messages', 'tools', 'tool_choice', 'thinking'] as const;

/** Bodies in the messages dialect. */
export const compatMessages: CompatBodies = {
  body: ({ fields, maxTokens, stream }, native, nativeModel) => {
    const { stop_sequences: stops, ...rest } = native.body;
    return wellFormedJson({
      ...rest,
      ...(stops !== undefined && fields.stop !== null && { stop_sequences: stops }),
      ...(maxTokens !== native.maxTokens && { max_tokens: maxTokens }),
      model: nativeModel,
      ...(stream && { stream: true }),
    });
  },
  countBody: ({ body }, nativeModel) =>
    wellFormedJson({
      model: nativeModel,
      ...Object.fromEntries(promptFields.flatMap((name) => (name in body ? [[name, body[name]]] : []))),
    }),
};
