import { invalidParam } from '../../errors/gateway-error.ts';
import { parseGenerateContentRequest } from '../../requests/compat/generate-content/parse-request.ts';
import type { ProtocolAdapter } from '../protocol-adapter.ts';
import { generatedShape } from './answer.ts';
import { createResponseWriter } from './event-writer.ts';
import { readNativePath } from './native-path.ts';

/**
 * POST /compat-b/v1beta/models/{model}:generateContent and :streamGenerateContent?alt=sse (specification,
 * "Endpoints"; B-91). This is the generate-content protocol, for the models of upstreams with that dialect.
 */
export const generateContentAdapter: ProtocolAdapter = {
  protocol: 'generate-content',
  idPrefix: 'gen-',
  checkHead: ({ path, query }) => {
    // Without `alt=sse` the protocol uses another stream format, which the gateway does not offer.
    if (readNativePath(path).stream && new URLSearchParams(query).getAll('alt').join() !== 'sse')
      throw invalidParam('alt', 'A stream needs the query parameter alt=sse.');
  },
  modelName: ({ path }) => readNativePath(path).model,
  serves: ({ compat }) => compat === 'generate-content',
  parse: (body, model, { path }) => parseGenerateContentRequest(body, model, readNativePath(path).stream),
  whole: generatedShape,
  events: createResponseWriter,
};
