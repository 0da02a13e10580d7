import type { Lane } from '../../control/lane.ts';
import type { Reply } from '../../control/protocol.ts';
import { isRaw } from '../../control/script.ts';
import type { Dialect, DialectContext, NativeRequest } from '../dialect.ts';
import type { Exchange } from '../exchange.ts';
import type { Identity } from '../identity.ts';
import { rawAnswer, sendWhole, type WholeAnswer } from '../whole.ts';
import { answerCount } from './count-tokens.ts';
import {
  answerTooLong,
  badVersion,
  bodyTooLarge,
  errorOfStatus,
  missingKey,
  type NativeError,
  promptTooLong,
  renderError,
  unknownModel,
  unknownPath,
  wrongMethod,
} from './errors.ts';
import { commonHeaders, requestIdOf } from './headers.ts';
import { findModel } from './models.ts';
import { countPrompt, promptBlocks } from './prompt-blocks.ts';
import { type CacheUse, cacheOf } from './prompt-cache.ts';
import { type AcceptedRequest, composeMessage, renderMessage } from './reply.ts';
import { type Parsed, parseCount, parseMessages } from './request.ts';
import type { CountRequest } from './schema.ts';
import { sendStream } from './stream.ts';

const messagesPath = '/v1/messages';
const countPath = '/v1/messages/count_tokens';

const keyHeader = 'x-api-key';
/** The one version of the interface that is played here: later ones have another shape. */
const playedVersion = '2023-06-01';

/** This upstream takes less than the server that it shares with others. */
const mostBodyBytes = 32 * 1024 * 1024;

/** The messages dialect: key in `x-api-key`, JSON in, JSON or named server-sent events out. */
export const messages: Dialect = {
  name: 'messages',
  serves: (path) => path === messagesPath || path.startsWith(`${messagesPath}/`),
  answer,
};

async function answer(exchange: Exchange, native: NativeRequest, { seed }: DialectContext): Promise<void> {
  const { lane, n } = exchange;
  const identity = { seed, lane: lane.name, channel: native.channel, n, nowMs: exchange.now() };
  const common = commonHeaders(identity);
  const requestId = requestIdOf(identity);
  const send = (whole: WholeAnswer, reply: Reply): Promise<void> =>
    sendWhole(exchange, { ...whole, headers: { ...common, ...whole.headers } }, reply);
  const refuse = (error: NativeError): Promise<void> => send(renderError(error, requestId), {});

  const misdirected = refuseAddress(native);
  if (misdirected !== null) return refuse(misdirected);
  if (native.path === countPath) {
    const counted = acceptCount(native);
    return counted.ok ? send(answerCount(counted.request), {}) : refuse(counted.error);
  }

  const scripted = lane.nextReply(native.channel, native.body);
  exchange.record.answeredBy(scripted?.script ?? null);
  const reply = scripted?.reply ?? {};
  // What is scripted raw, or never to be answered, does not depend on what the request says.
  if (isRaw(reply)) return send(scriptedRaw(reply, requestId), reply);
  if (reply.hang === 'head') return exchange.hang();

  const accepted = acceptMessages(native);
  if (!accepted.ok) return refuse(accepted.error);
  const cache = useCache(accepted.request, native, lane, identity);
  const message = composeMessage(accepted.request, reply, cache, identity);
  if (accepted.request.request.stream !== true) {
    const headers = { 'content-type': 'application/json' };
    return send({ status: 200, headers, body: Buffer.from(JSON.stringify(renderMessage(message))) }, reply);
  }
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  return sendStream(exchange, message, reply, { ...common, ...headers });
}

function refuseAddress({ method, path, body, isTooLarge }: NativeRequest): NativeError | null {
  if (path !== messagesPath && path !== countPath) return unknownPath();
  if (method !== 'POST') return wrongMethod();
  return isTooLarge || body.length > mostBodyBytes ? bodyTooLarge() : null;
}

/** The native checks in their order: headers, body, model, length of the answer, window. */
function acceptMessages({ headers, body }: NativeRequest): Parsed<AcceptedRequest> {
  const unwelcome = refuseHeaders(headers);
  if (unwelcome !== null) return { ok: false, error: unwelcome };
  const parsed = parseMessages(body);
  if (!parsed.ok) return parsed;
  const { request } = parsed;
  const model = findModel(request.model);
  if (model === undefined) return { ok: false, error: unknownModel(request.model) };
  if (request.max_tokens > model.mostOutputTokens) {
    return { ok: false, error: answerTooLong(request.max_tokens, model) };
  }
  const blocks = promptBlocks(request);
  const promptTokens = countPrompt(blocks);
  // The prompt alone: an answer that would cross the window just ends there.
  if (promptTokens > model.windowTokens) {
    return { ok: false, error: promptTooLong(promptTokens, model.windowTokens) };
  }
  return { ok: true, request: { request, model, blocks } };
}

function acceptCount({ headers, body }: NativeRequest): Parsed<CountRequest> {
  const unwelcome = refuseHeaders(headers);
  if (unwelcome !== null) return { ok: false, error: unwelcome };
  const parsed = parseCount(body);
  if (!parsed.ok || findModel(parsed.request.model) !== undefined) return parsed;
  return { ok: false, error: unknownModel(parsed.request.model) };
}

function refuseHeaders(headers: NativeRequest['headers']): NativeError | null {
  if ((headers.get(keyHeader) ?? '') === '') return missingKey();
  const version = headers.get('anthropic-version');
  return version === playedVersion ? null : badVersion(version);
}

/** The cache is used as soon as a request is accepted: what becomes of its answer makes no difference. */
function useCache(
  { request, model, blocks }: AcceptedRequest,
  { channel, headers }: NativeRequest,
  lane: Lane,
  { nowMs }: Identity,
): CacheUse {
  const scope = JSON.stringify([channel, headers.get(keyHeader), request.model]);
  return cacheOf(lane).use(scope, blocks, model.leastCacheableTokens, nowMs);
}

function scriptedRaw({ status = 200, body }: Reply, requestId: string): WholeAnswer {
  const isOwnError = body === undefined && status >= 400;
  return isOwnError ? renderError(errorOfStatus(status), requestId) : rawAnswer(status, body);
}
