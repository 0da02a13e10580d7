import type { Pace } from '../../latency/pace.ts';
import { seededHex, seededRandom } from '../../random.ts';
import { hasBearerKey } from '../bearer-key.ts';
import type { ComposedReply } from '../composition/compose.ts';
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
import { type Read, type ReadBody, readBody, readStrictly } from './asked.ts';
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
import { completionOf, completionText } from './reply.ts';
import { maxTokensOf } from './request.ts';
import { streamFrames } from './stream.ts';

const completionsPath = '/v1/chat/completions';

/** The chat-completions dialect: bearer key, JSON in, JSON or server-sent events out. */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  serves: (path) => path === completionsPath,
  open,
};

function open(origin: RequestOrigin, native: NativeRequest, { seed }: DialectContext): Opened {
  const headers = commonHeaders(origin, native.channel, seed);
  const misdirected = refuseAddress(native);
  if (misdirected !== null) return { is: 'settled', headers, answer: renderError(misdirected) };
  const said = readBody(native.body);
  return {
    is: 'call',
    call: said.wantsStream ? 'stream' : 'plain',
    headers,
    ownError: (status) => renderError(errorOfStatus(status)),
    answer: (reply, pace) => answer(native, said, reply, pace, identityOf(origin, native.channel, seed)),
  };
}

function answer(
  native: NativeRequest,
  said: ReadBody,
  reply: ComposedReply,
  pace: Pace,
  identity: Identity,
): Judged {
  const accepted = acceptRequest(native, said, reply.strict === true);
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

function refuseAddress({ method, path, isTooLarge }: NativeRequest): NativeError | null {
  if (path !== completionsPath) return unknownPath(method, path);
  if (method !== 'POST') return wrongMethod(method, path);
  return isTooLarge ? bodyTooLarge() : null;
}

/** The native checks in order: key, body, model, window. */
function acceptRequest({ headers, body }: NativeRequest, said: ReadBody, isStrict: boolean): Read {
  if (!hasBearerKey({ headers })) return { ok: false, error: missingKey() };
  const read = isStrict ? readStrictly(body) : said.read;
  if (!read.ok) return read;
  const { request, promptTokens } = read.asked;
  const model = findModel(request.model);
  if (model === undefined) return { ok: false, error: unknownModel(request.model) };
  const maxTokens = maxTokensOf(request);
  if (promptTokens + (maxTokens ?? 0) > model.windowTokens) {
    return { ok: false, error: windowExceeded(model.windowTokens, promptTokens, maxTokens) };
  }
  return read;
}

/** Headers of every answer. They name only this upstream, so a gateway that leaks them is caught. */
function commonHeaders({ n, tenant }: RequestOrigin, channel: string, seed: number): Record<string, string> {
  const identity = [seed, tenant.name, channel, n] as const;
  return {
    'x-request-id': `req_${seededHex(32, ...identity)}`,
    'openai-version': '2020-10-01',
    'openai-organization': 'simulated-upstream',
    'openai-processing-ms': String(seededRandom('processing', ...identity).between(40, 900)),
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-limit-tokens': '30000000',
    'x-ratelimit-remaining-tokens': '29999000',
    'x-ratelimit-reset-tokens': '2ms',
  };
}

/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** Prompt and completion together, in tokens. */
  readonly windowTokens: number;
}

/**
 * All models of this dialect; any other name gets a native 404. The window of `small-1` is small enough to fill in
 * a test.
 */
const models: ReadonlyMap<string, NativeModel> = new Map(
  [
    { name: 'a52-2026-08-07', windowTokens: 400_000 },
    { name: 'a5p-2026-08-07', windowTokens: 400_000 },
    { name: 'a5c-2026-08-07', windowTokens: 400_000 },
    { name: 'ac-2026-03-01', windowTokens: 128_000 },
    { name: 'd3-2026-07-11', windowTokens: 256_000 },
    { name: 'small-1', windowTokens: 8_000 },
  ].map((model) => [model.name, model]),
);

export function findModel(name: string): NativeModel | undefined {
  return models.get(name);
}
