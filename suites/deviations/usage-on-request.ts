import { type Body, exactIn, objectIn } from '../rewrite/json.ts';
import type { ProxyRequest } from '../rewrite/mutation.ts';
import { isJsonObject } from '../values/json.ts';
import type { Deviation } from './deviation.ts';

/** In a similar protocol, a stream has usage only on request. */
export const usageOnRequest: Deviation = {
  id: 'usage-on-request',
  title: 'a stream has its usage only where stream_options asks for it',
  requirement: 'SSE-009',
  // If usage is missing despite a request, the deployment ignores the option, so another deviation applies.
  refuted: ({ aspect, exchange }) =>
    ['usage-on-final-chunk', 'usage-whatever-is-said'].includes(aspect) &&
    asks(objectIn(Buffer.from(exchange?.request.body ?? ''))),
  checks: ['sse.shape.every-model'],
  undo: (given) => (given === undefined ? { request: askForUsage } : null),
  passing: () => ({
    hides: ({ aspect, request }) => {
      const isAsked = asks(objectIn(request.body));
      return aspect === 'usage-on-final-chunk' && !isAsked ? 'deviations: usage-on-request' : null;
    },
  }),
};

function asks(body: Body | null): boolean {
  const options = body?.stream_options;
  return isJsonObject(options) && options.include_usage === true;
}

function askForUsage(request: ProxyRequest): ProxyRequest {
  const body = request.path.includes('/chat/completions') ? exactIn(request.body) : null;
  if (body === null || body.stream !== true) return request;
  const given = body.stream_options;
  // An invalid body stays unchanged, so that the deployment can reject it.
  if (given !== undefined && !isJsonObject(given)) return request;
  if (given?.include_usage !== undefined) return request;
  const options = { ...given, include_usage: true };
  if (given !== undefined)
    return { ...request, body: Buffer.from(JSON.stringify({ ...body, stream_options: options })) };
  // Appended at the end of the text, so that all other bytes and digits stay unchanged.
  const end = request.body.lastIndexOf('}');
  const asked = Buffer.from(`,"stream_options":${JSON.stringify(options)}}`);
  return { ...request, body: Buffer.concat([request.body.subarray(0, end), asked]) };
}
