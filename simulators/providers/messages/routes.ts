import type { DialectVersion } from '../../answers/native-answer.ts';
import { messagesWindowHeaders, type RateWindows } from '../../answers/rate-windows.ts';
import type { WholeAnswer } from '../../answers/whole-answer.ts';
import { wantsStream } from '../../json/json-body.ts';
import type { Pace } from '../../latency/pace.ts';
import { seededHex, seededId } from '../../random.ts';
import type { Tenant } from '../../state/tenant.ts';
import { bearerKeyOf } from '../api-key.ts';
import {
  type Dialect,
  type DialectContext,
  type Judged,
  type NativeRequest,
  type Opened,
  plainAnswer,
  type RequestOrigin,
} from '../dialect.ts';
import { type Identity, identityOf } from '../identity.ts';
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
import { findModel, renderModels, renderOneModel } from './models.ts';
import { countPrompt, promptBlocks } from './prompt-blocks.ts';
import { type CacheUse, cacheOf } from './prompt-cache.ts';
import { type AcceptedRequest, composeMessage, type Message, renderMessage } from './reply.ts';
import { type Parsed, parseCount, parseMessages } from './request.ts';
import type { CountRequest } from './schema.ts';
import { streamFrames } from './stream.ts';

const messagesPath = '/v1/messages';
const countPath = '/v1/messages/count_tokens';
const modelsPath = '/v1/models';

/** The simulated versions, by their value of `anthropic-version`. */
const versions: ReadonlyMap<string, DialectVersion> = new Map([
  ['2026-10-21', 'current'],
  ['2023-06-01', 'previous'],
]);

/** The body limit of this upstream, smaller than that of the shared server. */
const maxBodyBytes = 32 * 1024 * 1024;

/** The messages dialect: a key in a header, JSON in, JSON or named server-sent events out. */
export const messages: Dialect = {
  name: 'messages',
  serves: ({ path, headers }) =>
    path === messagesPath ||
    path.startsWith(`${messagesPath}/`) ||
    (/^\/v1\/models(?:\/[^/:]+)?$/.test(path) && headers.get('anthropic-version') !== undefined),
  open,
};

function open(
  origin: RequestOrigin,
  native: NativeRequest,
  { seed, version: played }: DialectContext,
): Opened {
  const identity = identityOf(origin, native.channel, seed);
  const headers = commonHeaders(identity);
  const requestId = requestIdOf(identity);
  const named = versions.get(native.headers.get('anthropic-version') ?? '');
  const version = named ?? played ?? 'current';
  const render = (error: NativeError): WholeAnswer => renderError(error, requestId, version);
  const misdirected = refuseAddress(native);
  if (misdirected !== null) return { is: 'settled', headers, answer: render(misdirected) };
  const { strictModels } = origin.tenant.settings;
  if (native.path.startsWith(modelsPath)) {
    const found = listed(native, { played, version, strictModels });
    return { is: 'settled', headers, answer: found.ok ? jsonAnswer(found.request) : render(found.error) };
  }
  if (native.path === countPath) {
    const counted = acceptCount(native, { played, version, strictModels });
    const answer = counted.ok ? answerCount(counted.request) : render(counted.error);
    return { is: 'settled', headers, answer };
  }
  let cache: CacheUse | null = null;
  return {
    is: 'call',
    call: wantsStream(native.body) ? 'stream' : 'plain',
    headers,
    ...(named === undefined ? {} : { version: named }),
    ownError: (status, of) => renderError(errorOfStatus(status), requestId, of),
    answer: (reply, pace) => {
      const manner = {
        played: reply.version ?? null,
        version,
        isStrict: reply.strict === true,
        strictModels,
      };
      const accepted = acceptMessages(native, manner);
      if (!accepted.ok) return { ok: false, refusal: render(accepted.error) };
      // An answer that is composed again for a fault uses the same cache result.
      cache ??= useCache(accepted.request, native, origin.tenant, identity);
      const message = composeMessage(accepted.request, reply, cache, identity);
      return renderAnswer(message, accepted.request.request.stream === true, pace);
    },
  };
}

function renderAnswer(message: Message, asStream: boolean, pace: Pace): Judged {
  if (!asStream) {
    return plainAnswer(JSON.stringify(renderMessage(message)), 'application/json', pace);
  }
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  return { ok: true, call: 'stream', headers, frames: streamFrames(message, pace) };
}

function refuseAddress({ method, path, body, isTooLarge }: NativeRequest): NativeError | null {
  const isModels = path.startsWith(modelsPath);
  if (path !== messagesPath && path !== countPath && !isModels) return unknownPath();
  if (method !== (isModels ? 'GET' : 'POST')) return wrongMethod();
  return isTooLarge || body.length > maxBodyBytes ? bodyTooLarge() : null;
}

interface Played {
  /** The only version that this upstream simulates; null for both. */
  readonly played: DialectVersion | null;
  /** The version of the request. */
  readonly version: DialectVersion;
  readonly isStrict?: boolean;
  readonly strictModels: boolean;
}

/** The native checks in order: headers, body, model, length of the answer, window. */
function acceptMessages({ headers, body }: NativeRequest, manner: Played): Parsed<AcceptedRequest> {
  const unwelcome = refuseHeaders(headers, manner);
  if (unwelcome !== null) return { ok: false, error: unwelcome };
  const parsed = parseMessages(body, { betas: headers.get('anthropic-beta'), ...manner });
  if (!parsed.ok) return parsed;
  const { request } = parsed;
  const model = findModel(request.model, manner.strictModels);
  if (model === undefined) return { ok: false, error: unknownModel(request.model) };
  if (request.max_tokens > model.maxOutputTokens) {
    return { ok: false, error: answerTooLong(request.max_tokens, model) };
  }
  const blocks = promptBlocks(request);
  const promptTokens = countPrompt(blocks);
  // Only the prompt is checked: an answer that reaches the end of the window simply stops there.
  if (promptTokens > model.windowTokens) {
    return { ok: false, error: promptTooLong(promptTokens, model.windowTokens) };
  }
  return { ok: true, request: { request, model, blocks } };
}

/** The list of models, or one model. */
function listed({ headers, path }: NativeRequest, manner: Played): Parsed<object> {
  const unwelcome = refuseHeaders(headers, manner);
  if (unwelcome !== null) return { ok: false, error: unwelcome };
  const name = path.slice(modelsPath.length + 1);
  const found = name === '' ? renderModels() : renderOneModel(name, manner.strictModels);
  return found === undefined ? { ok: false, error: unknownModel(name) } : { ok: true, request: found };
}

function acceptCount({ headers, body }: NativeRequest, manner: Played): Parsed<CountRequest> {
  const unwelcome = refuseHeaders(headers, manner);
  if (unwelcome !== null) return { ok: false, error: unwelcome };
  const parsed = parseCount(body, { betas: headers.get('anthropic-beta'), ...manner });
  if (!parsed.ok || findModel(parsed.request.model, manner.strictModels) !== undefined) return parsed;
  return { ok: false, error: unknownModel(parsed.request.model) };
}

function refuseHeaders(headers: NativeRequest['headers'], { played, version }: Played): NativeError | null {
  if (keyOf({ headers }) === null) return missingKey(version);
  const date = headers.get('anthropic-version');
  const named = versions.get(date ?? '');
  return named !== undefined && (played ?? named) === named ? null : badVersion(date);
}

/** The key from either header, for any version: clients of both versions can be configured for either. */
function keyOf(request: Pick<NativeRequest, 'headers'>): string | null {
  return request.headers.get('x-api-key') || bearerKeyOf(request);
}

/** Uses the cache as soon as a request is accepted, regardless of its answer. */
function useCache(
  { request, model, blocks }: AcceptedRequest,
  native: NativeRequest,
  tenant: Tenant,
  { nowMs }: Identity,
): CacheUse {
  const scope = JSON.stringify([native.channel, keyOf(native), request.model]);
  return cacheOf(tenant).use(scope, blocks, model.minCacheableTokens, nowMs);
}

/** The answer to a request to count tokens. No window limits it, and it does not touch the cache. */
function answerCount(request: CountRequest): WholeAnswer {
  return jsonAnswer({ input_tokens: countPrompt(promptBlocks(request)) });
}

function jsonAnswer(body: object): WholeAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(body)) };
}

function requestIdOf({ seed, tenant, channel, n }: Identity): string {
  return `req_01${seededId(22, 'request', seed, tenant, channel, n)}`;
}

/** Headers of every answer. They name only this upstream, so a gateway that leaks them is caught. */
function commonHeaders(identity: Identity): Record<string, string> {
  return {
    'request-id': requestIdOf(identity),
    'anthropic-organization-id': uuidOf(seededHex(32, 'organization', identity.seed)),
    ...messagesWindowHeaders(usualWindows, identity.nowMs),
  };
}

const usualWindows: RateWindows = {
  requests: { limit: 4000, remaining: 3999, resetMs: 1000 },
  'input-tokens': { limit: 2_000_000, remaining: 1_998_000, resetMs: 1000 },
  'output-tokens': { limit: 400_000, remaining: 399_000, resetMs: 1000 },
  tokens: { limit: 2_400_000, remaining: 2_397_000, resetMs: 1000 },
};

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
