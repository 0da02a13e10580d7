import type { Reply } from '../../control/protocol.ts';
import { isRaw } from '../../control/script.ts';
import { seededRandom } from '../../random.ts';
import type { Dialect, DialectContext, NativeRequest } from '../dialect.ts';
import type { Exchange } from '../exchange.ts';
import { rawAnswer, sendWhole, type WholeAnswer } from '../whole.ts';
import { acceptCount, acceptGenerate, refuseKey } from './accept.ts';
import {
  badRequest,
  bodyTooLarge,
  errorOfStatus,
  jsonType,
  type NativeError,
  renderError,
  unknownModel,
  unknownPath,
} from './errors.ts';
import { findModel, listModels, renderModel } from './models.ts';
import { composeResponse, renderAnswer } from './reply.ts';
import { elements, events, type Framing, sendStream } from './stream.ts';
import { countPrompt, renderCount } from './usage.ts';

/** The generate-content dialect: an API key, a method behind a colon, JSON in, JSON or a stream of JSON out. */
export const generateContent: Dialect = {
  name: 'generate-content',
  serves: (path) => path.startsWith('/v1beta/'),
  answer,
};

async function answer(exchange: Exchange, native: NativeRequest, { seed }: DialectContext): Promise<void> {
  const target = findTarget(native);
  const framing = target?.act === 'streamGenerateContent' ? framingOf(native.query) : null;
  const talk: Talk = {
    exchange,
    native,
    seed,
    framing,
    headers: commonHeaders(exchange, native.channel, seed),
  };
  if (target === null) return sendError(talk, unknownPath(native.method, native.path));
  if (native.isTooLarge) return sendError(talk, bodyTooLarge());
  if (target.act === 'generateContent' || target.act === 'streamGenerateContent') {
    return generate(talk, target.model);
  }
  const found = lookUp(native, target);
  return found.ok ? sendJson(talk, found.body, {}) : sendError(talk, found.error);
}

/** One request and what every answer to it needs. */
interface Talk {
  readonly exchange: Exchange;
  readonly native: NativeRequest;
  readonly seed: number;
  /** Null when the answer is no stream. */
  readonly framing: Framing | null;
  readonly headers: Readonly<Record<string, string>>;
}

interface Target {
  readonly act: 'generateContent' | 'streamGenerateContent' | 'countTokens' | 'list' | 'get';
  /** Empty for the list. */
  readonly model: string;
}

function findTarget({ method, path }: NativeRequest): Target | null {
  const match = /^\/v1beta\/models(?:\/([^/:]+)(?::(\w+))?)?$/.exec(path);
  if (match === null) return null;
  const [, model = '', act] = match;
  if (act === undefined) return method === 'GET' ? { act: model === '' ? 'list' : 'get', model } : null;
  const isKnown = act === 'generateContent' || act === 'streamGenerateContent' || act === 'countTokens';
  return method === 'POST' && isKnown ? { act, model } : null;
}

function framingOf(query: URLSearchParams): Framing {
  return query.get('alt') === 'sse' ? events : elements;
}

async function generate(talk: Talk, model: string): Promise<void> {
  const { exchange, native, seed, framing, headers } = talk;
  const { n, lane } = exchange;
  const scripted = lane.nextReply(native.channel, native.body);
  exchange.record.answeredBy(scripted?.script ?? null);
  const reply = scripted?.reply ?? {};
  // What is scripted raw, or never to be answered, does not depend on what the request says.
  if (isRaw(reply)) return sendRaw(talk, reply);
  if (reply.hang === 'head') return exchange.hang();

  const wrongKey = refuseKey(native);
  if (wrongKey !== null) return sendError(talk, wrongKey);
  const accepted = acceptGenerate(native.body, model);
  if (!accepted.ok) return sendError(talk, accepted.error);
  const identity = { seed, lane: lane.name, channel: native.channel, n, nowMs: exchange.now() };
  const composed = composeResponse(accepted.request, model, reply, identity);
  return framing === null
    ? sendJson(talk, renderAnswer(composed), reply)
    : sendStream(exchange, composed, reply, { framing, headers });
}

type Found = { ok: true; body: object } | { ok: false; error: NativeError };

/** Counts and model look-ups: they are journalled and take no scripted reply. */
function lookUp(native: NativeRequest, { act, model }: Target): Found {
  const wrongKey = refuseKey(native);
  if (wrongKey !== null) return { ok: false, error: wrongKey };
  if (act === 'countTokens') {
    const accepted = acceptCount(native.body, model);
    return accepted.ok ? { ok: true, body: renderCount(countPrompt(accepted.request)) } : accepted;
  }
  if (act === 'list') {
    const page = listModels(native.query);
    return page === null
      ? { ok: false, error: badRequest('The page asked for does not exist.') }
      : { ok: true, body: page };
  }
  const found = findModel(model);
  return found === undefined
    ? { ok: false, error: unknownModel(model) }
    : { ok: true, body: renderModel(found) };
}

function sendJson(talk: Talk, body: object, reply: Reply): Promise<void> {
  const text = `${JSON.stringify(body, null, 2)}\n`;
  return send(talk, { status: 200, headers: { 'content-type': jsonType }, body: Buffer.from(text) }, reply);
}

/** A stream that is no event stream refuses in an array, too. */
function sendError(talk: Talk, error: NativeError, reply: Reply = {}): Promise<void> {
  return send(talk, renderError(error, talk.framing === elements), reply);
}

function sendRaw(talk: Talk, reply: Reply): Promise<void> {
  const { status = 200, body } = reply;
  return body === undefined && status >= 400
    ? sendError(talk, errorOfStatus(status), reply)
    : send(talk, rawAnswer(status, body), reply);
}

function send({ exchange, headers }: Talk, whole: WholeAnswer, reply: Reply): Promise<void> {
  return sendWhole(exchange, { ...whole, headers: { ...headers, ...whole.headers } }, reply);
}

/** Headers of every answer. They tell of this upstream alone, so that a gateway that leaks them is seen. */
function commonHeaders({ n, lane }: Exchange, channel: string, seed: number): Record<string, string> {
  const durationMs = seededRandom('processing', seed, lane.name, channel, n).between(40, 900);
  return {
    vary: 'Origin, X-Origin, Referer',
    server: 'scaffolding on HTTPServer2',
    'x-xss-protection': '0',
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
    'server-timing': `gfet4t7; dur=${durationMs}`,
    'x-gemini-service-tier': 'standard',
  };
}
