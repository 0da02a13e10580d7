import type { WholeAnswer } from '../../answers/whole-answer.ts';
import type { Pace } from '../../latency/pace.ts';
import { seededRandom } from '../../random.ts';
import {
  type Dialect,
  type DialectContext,
  type Judged,
  type NativeRequest,
  type Opened,
  plainAnswer,
  type RequestOrigin,
} from '../dialect.ts';
import { identityOf } from '../identity.ts';
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
import { type Answer, composeResponse, renderAnswer } from './reply.ts';
import { elements, events, type Framing, streamFrames } from './stream.ts';
import { countPrompt, renderCount } from './usage.ts';

/** The generate-content dialect: an API key, a method behind a colon, JSON in, JSON or a stream of JSON out. */
export const generateContent: Dialect = {
  name: 'generate-content',
  serves: (path) => path.startsWith('/v1beta/'),
  open,
};

function open(origin: RequestOrigin, native: NativeRequest, { seed }: DialectContext): Opened {
  const target = findTarget(native);
  const framing = target?.act === 'streamGenerateContent' ? framingOf(native.query) : null;
  const headers = commonHeaders(origin, native.channel, seed);
  const refuse = (error: NativeError): WholeAnswer => renderError(error, framing === elements);
  const settle = (answer: WholeAnswer): Opened => ({ is: 'settled', headers, answer });

  if (target === null) return settle(refuse(unknownPath(native.method, native.path)));
  if (native.isTooLarge) return settle(refuse(bodyTooLarge()));
  if (target.act !== 'generateContent' && target.act !== 'streamGenerateContent') {
    const found = lookUp(native, target);
    return settle(found.ok ? jsonAnswer(found.body) : refuse(found.error));
  }
  return {
    is: 'call',
    call: framing === null ? 'plain' : 'stream',
    headers,
    ownError: (status) => refuse(errorOfStatus(status)),
    answer: (reply, pace) => {
      const wrongKey = refuseKey(native);
      if (wrongKey !== null) return { ok: false, refusal: refuse(wrongKey) };
      const accepted = acceptGenerate(native.body, target.model, reply.strict === true);
      if (!accepted.ok) return { ok: false, refusal: refuse(accepted.error) };
      const identity = identityOf(origin, native.channel, seed);
      return render(composeResponse(accepted.request, target.model, reply, identity), framing, pace);
    },
  };
}

function render(composed: Answer, framing: Framing | null, pace: Pace): Judged {
  if (framing === null) return plainAnswer(jsonAnswer(renderAnswer(composed)).body, jsonType, pace);
  const { headers } = framing;
  return { ok: true, call: 'stream', headers, frames: streamFrames(composed, framing, pace) };
}

interface Target {
  readonly act: 'generateContent' | 'streamGenerateContent' | 'countTokens' | 'list' | 'get';
  /** Empty for the model list. */
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

type Found = { ok: true; body: object } | { ok: false; error: NativeError };

/** Token counts and model look-ups. They are journalled, but consume no scripted reply. */
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

function jsonAnswer(body: object): WholeAnswer {
  const text = `${JSON.stringify(body, null, 2)}\n`;
  return { status: 200, headers: { 'content-type': jsonType }, body: Buffer.from(text) };
}

/** Headers of every answer. They name only this upstream, so a gateway that leaks them is caught. */
function commonHeaders({ n, tenant }: RequestOrigin, channel: string, seed: number): Record<string, string> {
  const durationMs = seededRandom('processing', seed, tenant.name, channel, n).between(40, 900);
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
