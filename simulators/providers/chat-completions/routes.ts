import { chatWindowHeaders } from '../../answers/rate-windows.ts';
import type { WholeAnswer } from '../../answers/whole-answer.ts';
import { parseJson } from '../../json/json-body.ts';
import type { Pace } from '../../latency/pace.ts';
import { seededHex, seededRandom } from '../../random.ts';
import { apiKeyOf } from '../api-key.ts';
import type { ComposedReply } from '../composition/compose.ts';
import {
  type Dialect,
  type DialectContext,
  type Judged,
  type ModelCall,
  type NativeRequest,
  type Opened,
  plainAnswer,
  type RequestOrigin,
} from '../dialect.ts';
import { type Identity, identityOf } from '../identity.ts';
import { type OpenAiTarget, openAiTarget } from './address.ts';
import { type Read, type ReadBody, readBody, readStrictly, withModel } from './asked.ts';
import { answerEmbeddings, readEmbeddings } from './embeddings.ts';
import {
  bodyTooLarge,
  errorOfStatus,
  missingKey,
  type NativeError,
  renderError,
  unknownModel,
  unknownPath,
  windowExceeded,
  wrongMethod,
} from './errors.ts';
import { findModel, renderModels, renderOneModel } from './models.ts';
import { completionOf, completionText } from './reply.ts';
import { maxTokensOf } from './request.ts';
import { streamFrames } from './stream.ts';

/** The chat-completions dialect: bearer key, JSON in, JSON or server-sent events out; with embeddings and models. */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  serves: ({ path, headers }) => {
    const act = openAiTarget(path)?.act;
    // Other providers list models under the same path. Each of their requests has one of these headers.
    if (act === 'models') return !['anthropic-version', 'x-goog-api-key'].some((name) => headers.get(name));
    return act !== undefined && act !== 'responses';
  },
  open,
};

function open(origin: RequestOrigin, native: NativeRequest, { seed }: DialectContext): Opened {
  const headers = openAiHeaders(origin, native.channel, seed);
  const target = openAiTarget(native.path);
  const misdirected = refuseAddress(native, target);
  if (misdirected !== null || target === null)
    return {
      is: 'settled',
      headers,
      answer: renderError(misdirected ?? unknownPath(native.method, native.path)),
    };
  const isStrict = origin.tenant.settings.strictModels;
  if (target.act === 'models')
    return { is: 'settled', headers, answer: listed(native, target.model, isStrict) };
  const ownError = (status: number): WholeAnswer => renderError(errorOfStatus(status));
  if (target.act === 'embeddings') {
    const answer: ModelCall['answer'] = (reply, pace) =>
      embed(native, target.model, reply, pace, { seed, isStrict });
    return { is: 'call', call: 'plain', headers, ownError, answer };
  }
  const said = readBody(native.body, target.model);
  const identity = identityOf(origin, native.channel, seed);
  return {
    is: 'call',
    call: said.wantsStream ? 'stream' : 'plain',
    ...{ headers, ownError },
    answer: (reply, pace) => answer(native, said, reply, pace, identity, isStrict),
  };
}

function listed(native: NativeRequest, model: string | null, isStrict: boolean): WholeAnswer {
  if (apiKeyOf(native) === null) return renderError(missingKey());
  const found = model === null ? renderModels() : renderOneModel(model, isStrict);
  if (found === undefined) return renderError(unknownModel(model ?? ''));
  const body = Buffer.from(`${JSON.stringify(found, null, 2)}\n`);
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function embed(
  native: NativeRequest,
  deployment: string | null,
  reply: ComposedReply,
  pace: Pace,
  { seed, isStrict }: { readonly seed: number; readonly isStrict: boolean },
): Judged {
  if (apiKeyOf(native) === null) return { ok: false, refusal: renderError(missingKey()) };
  const read = readEmbeddings(withModel(parseJson(native.body), deployment));
  if (!read.ok) return { ok: false, refusal: renderError(read.error) };
  const { model } = read.request;
  if (findModel(model, isStrict) === undefined)
    return { ok: false, refusal: renderError(unknownModel(model)) };
  return answerEmbeddings(read.request, reply, seed, pace);
}

function answer(
  native: NativeRequest,
  said: ReadBody,
  reply: ComposedReply,
  pace: Pace,
  identity: Identity,
  isStrict: boolean,
): Judged {
  const accepted = acceptRequest(native, said, reply.strict === true, isStrict);
  if (!accepted.ok) return { ok: false, refusal: renderError(accepted.error) };
  const { request } = accepted.asked;
  const completion = completionOf(accepted.asked, reply, identity);
  if (request.stream === true) {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    const { include_usage: hasUsage, include_obfuscation: isPadded } = request.stream_options ?? {};
    const form = {
      hasUsage: hasUsage === true || reply.fit === 'usage',
      isPadded: reply.version !== 'previous' && isPadded !== false,
    };
    return { ok: true, call: 'stream', headers, frames: streamFrames(completion, form, pace) };
  }
  return plainAnswer(`${completionText(completion)}\n`, 'application/json', pace);
}

function refuseAddress(
  { method, path, isTooLarge }: NativeRequest,
  target: OpenAiTarget | null,
): NativeError | null {
  if (target === null) return unknownPath(method, path);
  const allowed = target.act === 'models' ? 'GET' : 'POST';
  if (method !== allowed) return wrongMethod(method, path, allowed);
  return isTooLarge ? bodyTooLarge() : null;
}

/** The native checks in order: key, body, model, window. */
function acceptRequest(
  { headers, body }: NativeRequest,
  said: ReadBody,
  isStrict: boolean,
  hasStrictModels: boolean,
): Read {
  if (apiKeyOf({ headers }) === null) return { ok: false, error: missingKey() };
  const read = isStrict ? readStrictly(body) : said.read;
  if (!read.ok) return read;
  const { request, promptTokens } = read.asked;
  const model = findModel(request.model, hasStrictModels);
  if (model === undefined) return { ok: false, error: unknownModel(request.model) };
  const maxTokens = maxTokensOf(request);
  if (promptTokens + (maxTokens ?? 0) > model.windowTokens) {
    return { ok: false, error: windowExceeded(model.windowTokens, promptTokens, maxTokens) };
  }
  return read;
}

const usualWindows = chatWindowHeaders({
  requests: { limit: 10_000, remaining: 9999, resetMs: 6 },
  tokens: { limit: 30_000_000, remaining: 29_999_000, resetMs: 2 },
});

/** Headers of every answer. They name only this upstream, so a gateway that leaks them is caught. */
export function openAiHeaders(
  { n, tenant }: RequestOrigin,
  channel: string,
  seed: number,
): Record<string, string> {
  const identity = [seed, tenant.name, channel, n] as const;
  return {
    'x-request-id': `req_${seededHex(32, ...identity)}`,
    'openai-version': '2020-10-01',
    'openai-organization': 'simulated-upstream',
    'openai-processing-ms': String(seededRandom('processing', ...identity).between(40, 900)),
    ...usualWindows,
  };
}
