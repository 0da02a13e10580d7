import type { DialectVersion } from '../../answers/native-answer.ts';
import type { WholeAnswer } from '../../answers/whole-answer.ts';
import { isObject, parseJson, valueAt } from '../../json/json-body.ts';
import type { Pace } from '../../latency/pace.ts';
import { seededRandom } from '../../random.ts';
import { decodeRequest, userText } from '../../requests/decode-request.ts';
import { seededVector } from '../composition/vector.ts';
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
import { identityOf } from '../identity.ts';
import { acceptCount, acceptGenerate, type NamedModel, refuseKey } from './accept.ts';
import {
  type ApiVersion,
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
  // Several providers list models at `/v1/models`. This one is recognised by its key header.
  serves: ({ path, headers }) =>
    path.startsWith('/v1beta/') ||
    /^\/v1\/models\/[^/]+:\w+$/.test(path) ||
    (headers.get('x-goog-api-key') !== undefined && /^\/v1\/models(\/[^/]+)?$/.test(path)),
  open,
};

function open(
  origin: RequestOrigin,
  native: NativeRequest,
  { seed, version: played }: DialectContext,
): Opened {
  const target = findTarget(native);
  const framing = target?.act === 'streamGenerateContent' ? framingOf(native.query) : null;
  const headers = commonHeaders(origin, native.channel, seed);
  const refuse = (error: NativeError): WholeAnswer => renderError(error, framing === elements);
  const settle = (answer: WholeAnswer): Opened => ({ is: 'settled', headers, answer });

  const { strictModels } = origin.tenant.settings;
  const notThere = unknownPath(native.method, native.path);
  if (target === null) return settle(refuse(notThere));
  if (native.isTooLarge) return settle(refuse(bodyTooLarge()));
  if (target.act === 'countTokens' || target.act === 'list' || target.act === 'get') {
    if (isOther(target, played)) return settle(refuse(notThere));
    const found = lookUp(native, target, strictModels);
    return settle(found.ok ? jsonAnswer(found.body) : refuse(found.error));
  }
  if (target.act === 'embedContent' || target.act === 'batchEmbedContents') {
    if (isOther(target, played)) return settle(refuse(notThere));
    const answer: ModelCall['answer'] = (_reply, pace) => {
      const wrongKey = refuseKey(native);
      if (wrongKey !== null) return { ok: false, refusal: refuse(wrongKey) };
      return embed(native.body, named(target, strictModels), target.act === 'batchEmbedContents', {
        seed,
        pace,
      });
    };
    return {
      is: 'call',
      call: 'plain',
      headers,
      ownError: (status) => refuse(errorOfStatus(status)),
      answer,
    };
  }
  return {
    is: 'call',
    call: framing === null ? 'plain' : 'stream',
    version: versions[target.version],
    headers,
    ownError: (status) => refuse(errorOfStatus(status)),
    answer: (reply, pace) => {
      if (isOther(target, reply.version)) return { ok: false, refusal: refuse(notThere) };
      const wrongKey = refuseKey(native);
      if (wrongKey !== null) return { ok: false, refusal: refuse(wrongKey) };
      const accepted = acceptGenerate(native.body, named(target, strictModels), reply.strict === true);
      if (!accepted.ok) return { ok: false, refusal: refuse(accepted.error) };
      const identity = identityOf(origin, native.channel, seed);
      return render(composeResponse(accepted.request, target.model, reply, identity), framing, pace);
    },
  };
}

function render(composed: Answer, framing: Framing | null, pace: Pace): Judged {
  if (framing === null) return plainAnswer(jsonText(renderAnswer(composed)), jsonType, pace);
  const { headers } = framing;
  return { ok: true, call: 'stream', headers, frames: streamFrames(composed, framing, pace) };
}

interface Target {
  readonly act:
    | 'generateContent'
    | 'streamGenerateContent'
    | 'countTokens'
    | 'embedContent'
    | 'batchEmbedContents'
    | 'list'
    | 'get';
  /** Empty for the model list. */
  readonly model: string;
  readonly version: ApiVersion;
}

const versions: Readonly<Record<ApiVersion, DialectVersion>> = { v1: 'current', v1beta: 'previous' };

/** Whether the URL's version differs from the only one that the upstream simulates. */
function isOther({ version }: Target, played: DialectVersion | null | undefined): boolean {
  return (played ?? versions[version]) !== versions[version];
}

function named({ model, version }: Target, isStrict: boolean): NamedModel {
  return { name: model, version, isStrict };
}

const posted = [
  'generateContent',
  'streamGenerateContent',
  'countTokens',
  'embedContent',
  'batchEmbedContents',
] as const;

function findTarget({ method, path }: NativeRequest): Target | null {
  const match = /^\/(v1|v1beta)\/models(?:\/([^/:]+)(?::(\w+))?)?$/.exec(path);
  if (match === null) return null;
  const [, at, model = '', act] = match;
  const version = at === 'v1' ? 'v1' : 'v1beta';
  if (act === undefined) {
    return method === 'GET' ? { act: model === '' ? 'list' : 'get', model, version } : null;
  }
  const known = posted.find((one) => one === act);
  return method === 'POST' && known !== undefined ? { act: known, model, version } : null;
}

function framingOf(query: URLSearchParams): Framing {
  return query.get('alt') === 'sse' ? events : elements;
}

type Found = { ok: true; body: object } | { ok: false; error: NativeError };

/** Token counts and model look-ups. They are journalled, but consume no scripted reply. */
function lookUp(native: NativeRequest, target: Target, isStrict: boolean): Found {
  const { act, model, version } = target;
  const wrongKey = refuseKey(native);
  if (wrongKey !== null) return { ok: false, error: wrongKey };
  if (act === 'countTokens') {
    const accepted = acceptCount(native.body, named(target, isStrict));
    return accepted.ok ? { ok: true, body: renderCount(countPrompt(accepted.request)) } : accepted;
  }
  if (act === 'list') {
    const page = listModels(native.query);
    return page === null
      ? { ok: false, error: badRequest('The page asked for does not exist.') }
      : { ok: true, body: page };
  }
  const found = findModel(model, isStrict);
  return found === undefined
    ? { ok: false, error: unknownModel(model, version) }
    : { ok: true, body: renderModel(found) };
}

function jsonAnswer(body: object): WholeAnswer {
  return { status: 200, headers: { 'content-type': jsonType }, body: Buffer.from(jsonText(body)) };
}

function jsonText(body: object): string {
  return `${JSON.stringify(body, null, 2)}\n`;
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

const usualDimensions = 768;

/** A vector for the content of a request, or one for each of its requests. */
function embed(
  body: Buffer,
  { name, version, isStrict }: NamedModel,
  isBatch: boolean,
  { seed, pace }: { readonly seed: number; readonly pace: Pace },
): Judged {
  if (findModel(name, isStrict) === undefined) return refused(unknownModel(name, version));
  const json = parseJson(body);
  const requests = isBatch ? valueAt(json, ['requests']) : [json];
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every(hasContent))
    return refused(badRequest('* EmbedContentRequest.content: contents is not specified\n'));
  const embeddings = requests.map((request) => {
    const dimensions = valueAt(request, ['outputDimensionality']);
    const length = typeof dimensions === 'number' && dimensions > 0 ? dimensions : usualDimensions;
    return { values: seededVector(userText(decodeRequest(request)), length, seed, name) };
  });
  const answer = isBatch ? { embeddings } : { embedding: embeddings[0] };
  return plainAnswer(`${JSON.stringify(answer, null, 2)}\n`, jsonType, pace);
}

function hasContent(request: unknown): boolean {
  return isObject(request) && Array.isArray(valueAt(request, ['content', 'parts']));
}

function refused(error: Parameters<typeof renderError>[0]): Judged {
  return { ok: false, refusal: renderError(error, false) };
}
