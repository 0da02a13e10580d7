import { parseJson, wantsStream } from '../../json/json-body.ts';
import { apiKeyOf } from '../api-key.ts';
import { openAiTarget } from '../chat-completions/address.ts';
import {
  bodyTooLarge,
  errorOfStatus,
  missingKey,
  type NativeError,
  renderError,
  unknownModel,
  windowExceeded,
  wrongMethod,
} from '../chat-completions/errors.ts';
import { findModel } from '../chat-completions/models.ts';
import { openAiHeaders } from '../chat-completions/routes.ts';
import {
  type Dialect,
  type DialectContext,
  type NativeRequest,
  type Opened,
  plainAnswer,
  type RequestOrigin,
} from '../dialect.ts';
import { identityOf } from '../identity.ts';
import { composeResponse, renderResponse } from './reply.ts';
import { type ParsedRequest, parseRequest } from './request.ts';
import { streamFrames } from './stream.ts';

/** The responses dialect: bearer key, JSON in, JSON or named server-sent events out. */
export const responses: Dialect = {
  name: 'responses',
  serves: ({ path }) => openAiTarget(path)?.act === 'responses',
  open,
};

function open(origin: RequestOrigin, native: NativeRequest, { seed }: DialectContext): Opened {
  const headers = openAiHeaders(origin, native.channel, seed);
  const settle = (error: NativeError): Opened => ({ is: 'settled', headers, answer: renderError(error) });
  if (native.method !== 'POST') return settle(wrongMethod(native.method, native.path));
  if (native.isTooLarge) return settle(bodyTooLarge());
  return {
    is: 'call',
    call: wantsStream(native.body) ? 'stream' : 'plain',
    headers,
    ownError: (status) => renderError(errorOfStatus(status)),
    answer: (reply, pace) => {
      const accepted = accept(native, origin.tenant.settings.strictModels);
      if (!accepted.ok) return { ok: false, refusal: renderError(accepted.error) };
      const { request, promptTokens } = accepted;
      const response = composeResponse(
        request,
        promptTokens,
        reply,
        identityOf(origin, native.channel, seed),
      );
      if (request.stream !== true)
        return plainAnswer(
          `${JSON.stringify(renderResponse(response), null, 2)}\n`,
          'application/json',
          pace,
        );
      const streamed = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
      return { ok: true, call: 'stream', headers: streamed, frames: streamFrames(response, pace) };
    },
  };
}

/** The native checks in order: key, body, model, window. */
function accept(native: NativeRequest, isStrict: boolean): ParsedRequest {
  if (apiKeyOf(native) === null) return { ok: false, error: missingKey() };
  const parsed = parseRequest(parseJson(native.body));
  if (!parsed.ok) return parsed;
  const { request, promptTokens } = parsed;
  const model = findModel(request.model, isStrict);
  if (model === undefined) return { ok: false, error: unknownModel(request.model) };
  const most = request.max_output_tokens ?? null;
  if (promptTokens + (most ?? 0) <= model.windowTokens) return parsed;
  return { ok: false, error: windowExceeded(model.windowTokens, promptTokens, most) };
}
