import type { Dialect } from '../../profile/dialects.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { decodedPart } from '../../wire/curl.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Json } from '../native/json.ts';

export type Protocol = 'chat' | 'compatA' | 'compatB' | 'images' | 'submit' | 'read' | 'models';

/** The kind of a request ("Endpoints"). */
export interface Call {
  readonly protocol: Protocol;
  readonly stream: boolean;
  /** The requested public model id; empty if unreadable. */
  readonly model: string;
  /** The body as an object; null where it is none, so that the request is unknown. */
  readonly request: Json | null;
  /** The id of the task to read; null for other calls. */
  readonly taskId: string | null;
}

const paths: readonly (readonly [method: string, path: RegExp, protocol: Protocol])[] = [
  ['POST', /\/api\/v1\/chat\/completions$/, 'chat'],
  ['POST', /\/compat-a\/v1\/messages$/, 'compatA'],
  ['POST', /\/compat-b\/v1beta\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/, 'compatB'],
  ['POST', /\/api\/v1\/images\/generations$/, 'images'],
  ['POST', /\/api\/v1\/tasks$/, 'submit'],
  ['GET', /\/api\/v1\/tasks\/[^/]+$/, 'read'],
  ['GET', /\/api\/v1\/models$/, 'models'],
];

/** Longer bodies are generated for limits, and not read, bytes. */
const longestRead = 1_000_000;

/** The dialect of a client protocol; null if it is not chat. */
export function dialectOf(protocol: Protocol): Dialect | null {
  switch (protocol) {
    case 'chat':
      return 'chat-completions';
    case 'compatA':
      return 'messages';
    case 'compatB':
      return 'generate-content';
    default:
      return null;
  }
}

/** Whether a call makes something that is paid for. */
export function isGenerating({ protocol }: Call): boolean {
  return protocol !== 'read' && protocol !== 'models';
}

/** The protocol of a request by its method and path; null outside the specification. */
export function protocolOf({ request: { method, url } }: Pick<Exchange, 'request'>): Protocol | null {
  const path = pathOf(url);
  return paths.find(([name, pattern]) => name === method && pattern.test(path))?.[2] ?? null;
}

/** Reads the request of an exchange; null outside the specification. */
export function callOf(exchange: Pick<Exchange, 'request'>): Call | null {
  const protocol = protocolOf(exchange);
  if (protocol === null) return null;
  const { url, body } = exchange.request;
  const path = pathOf(url);
  const isRead = body.length > 0 && body.length <= longestRead;
  const value = isRead ? parseJson(body.toString('utf8')) : undefined;
  const request = isJsonObject(value) ? value : null;
  const [, named = '', action] = /models\/([^/]+):(\w+)$/.exec(path) ?? [];
  const isNamed = protocol === 'compatB';
  return {
    ...{ protocol, request },
    stream: isNamed ? action === 'streamGenerateContent' : request?.stream === true,
    model: isNamed ? decodedPart(named) : textOf(request?.model),
    taskId: protocol === 'read' ? decodedPart(path.slice(path.lastIndexOf('/') + 1)) : null,
  };
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
