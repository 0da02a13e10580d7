import { isJsonObject, parseJson } from '../values/json.ts';
import type { Passing, Unjudged } from './connection-tap.ts';

/** The contents of a recording: exchanges in the order of their begin, and the reasons why others cannot be judged. */
export interface Recording {
  readonly exchanges: readonly Passing[];
  readonly unjudged: readonly Unjudged[];
}

/**
 * Reads an HTTP archive (HAR 1.2); null for any other text. Its bodies are already decoded, so the content coding of answers
 * is ignored.
 */
export function readHar(text: string): Recording | null {
  // Some recorders write a byte order mark first.
  const archive = parseJson(text.replace(/^\uFEFF/, ''));
  const log = isJsonObject(archive) ? archive.log : undefined;
  const entries = isJsonObject(log) && Array.isArray(log.entries) ? log.entries : null;
  if (entries === null) return null;
  const read = entries.map((entry) => (isJsonObject(entry) ? exchangeOf(entry) : incomplete));
  return {
    exchanges: read
      .filter((one) => typeof one !== 'string')
      .toSorted((one, other) => one.sentAt - other.sentAt)
      .map((exchange) => ({ exchange, began: exchange.sentAt, ended: exchange.endedAt })),
    unjudged: read.filter((one) => typeof one === 'string'),
  };
}

type Json = Readonly<Record<string, unknown>>;

const incomplete = 'recorded without an answer, a time or an address';

function exchangeOf(entry: Json): Passing['exchange'] | Unjudged {
  const { request, response, startedDateTime, time } = entry;
  if (!isJsonObject(request) || !isJsonObject(response)) return incomplete;
  const [sentAt, tookMs] = [Date.parse(String(startedDateTime)), Number(time)];
  const [url, status] = [String(request.url), Number(response.status)];
  if (Number.isNaN(sentAt) || !URL.canParse(url) || !(status >= 100)) return incomplete;
  const why = whyNot(entry, response);
  if (why !== null) return why;
  const body = bodyOf(response);
  if (body === null) return 'recorded without its body';
  const sent = sentBody(request);
  return {
    label: 'passing',
    request: {
      ...{ method: String(request.method), url, body: sent },
      // Request bodies in a recording are decoded too.
      headers: withoutCoding(request.headers),
    },
    response: {
      ...{ status, firstByteMs: 0, endMs: tookMs, complete: textOf(response._error) === '' },
      ...{ headers: answeredWith(response), body },
    },
    ...{ error: null, sentAt, endedAt: sentAt + (tookMs >= 0 ? tookMs : 0) },
  };
}

/** Why an entry proves nothing about the deployment, by the browser's notes. */
function whyNot(entry: Json, response: Json): Unjudged | null {
  if (/ABORTED/.test(textOf(response._error))) return 'the client left';
  return textOf(entry._fromCache) === '' ? null : 'from a cache';
}

/** The bytes of an answer; null when the recording lacks some of them, as for streams or large bodies. */
function bodyOf({ content, status, _error: error }: Json): Buffer | null {
  const { text, encoding, size } = isJsonObject(content) ? content : ({} as Json);
  const isBare = status === 204 || status === 304;
  if (typeof text !== 'string') return isBare ? Buffer.alloc(0) : null;
  const body = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  // For an answer that broke off, the size may be the announced one.
  const isCut = textOf(error) === '' && Number(size) > body.length;
  return isCut ? null : body;
}

function sentBody({ postData }: Json): Buffer {
  const { text, encoding, _encoding = encoding } = isJsonObject(postData) ? postData : ({} as Json);
  return Buffer.from(typeof text === 'string' ? text : '', _encoding === 'base64' ? 'base64' : 'utf8');
}

/** The headers of an answer. If the recorder kept none, the noted media type of the body is used. */
function answeredWith({ headers, content }: Json): [string, string][] {
  if (Array.isArray(headers) && headers.length > 0) return withoutCoding(headers);
  const type = isJsonObject(content) ? textOf(content.mimeType) : '';
  return type === '' ? [] : [['content-type', type]];
}

function withoutCoding(value: unknown): [string, string][] {
  return (Array.isArray(value) ? value : [])
    .filter(isJsonObject)
    .map(({ name, value: text }): [string, string] => [String(name), String(text)])
    .filter(([name]) => name.toLowerCase() !== 'content-encoding');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
