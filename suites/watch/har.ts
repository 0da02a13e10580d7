import { isJsonObject, parseJson } from '../json.ts';
import type { Passing } from './connection-tap.ts';

/**
 * The exchanges of an HTTP archive (HAR 1.2), in the order of their begin; null for a text that is none. Bodies in it are
 * decoded already, so the coding of answers counts no more. Entries without an answer are left out.
 */
export function readHar(text: string): Passing[] | null {
  const archive = parseJson(text);
  const log = isJsonObject(archive) ? archive.log : undefined;
  const entries = isJsonObject(log) && Array.isArray(log.entries) ? log.entries : null;
  if (entries === null) return null;
  const found = entries.filter(isJsonObject).flatMap((entry) => {
    const exchange = exchangeOf(entry);
    return exchange === null ? [] : [exchange];
  });
  return found
    .toSorted((one, other) => one.sentAt - other.sentAt)
    .map((exchange) => ({ exchange, began: exchange.sentAt, ended: exchange.endedAt }));
}

type Json = Readonly<Record<string, unknown>>;

function exchangeOf(entry: Json): Passing['exchange'] | null {
  const { request, response, startedDateTime, time } = entry;
  if (!isJsonObject(request) || !isJsonObject(response)) return null;
  const [sentAt, tookMs] = [Date.parse(String(startedDateTime)), Number(time)];
  const [url, status] = [String(request.url), Number(response.status)];
  if (Number.isNaN(sentAt) || !URL.canParse(url) || !(status >= 100)) return null;
  const { postData } = request;
  const content = isJsonObject(response.content) ? response.content : {};
  const body = textOf(content.text);
  return {
    label: 'passing',
    request: {
      ...{ method: String(request.method), url, headers: fieldsOf(request.headers) },
      body: Buffer.from(isJsonObject(postData) ? textOf(postData.text) : ''),
    },
    response: {
      ...{ status, firstByteMs: 0, endMs: tookMs, complete: !/\S/.test(textOf(response._error)) },
      headers: fieldsOf(response.headers).filter(([name]) => name.toLowerCase() !== 'content-encoding'),
      body: content.encoding === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(body),
    },
    ...{ error: null, sentAt, endedAt: sentAt + (tookMs >= 0 ? tookMs : 0) },
  };
}

function fieldsOf(value: unknown): [string, string][] {
  return (Array.isArray(value) ? value : [])
    .filter(isJsonObject)
    .map(({ name, value: text }) => [String(name), String(text)]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
