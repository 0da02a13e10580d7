/** The request exactly as sent. Header names keep their case. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Whether the body went in chunks, without a declared length. */
  readonly isChunked?: true;
}

/** The answer. Times are ms since the request was handed to the network. */
export interface ReceivedResponse {
  readonly status: number;
  /** In order of arrival, with names in the sender's case. */
  readonly headers: readonly (readonly [string, string])[];
  /** The decoded body: a gzipped body is readable here. */
  readonly body: Buffer;
  readonly firstByteMs: number;
  readonly endMs: number;
  /** The body ended as HTTP and its coding require. False when the connection or the coding broke first. */
  readonly complete: boolean;
  /** How the body arrived: all of its pieces, or some evenly among them. Absent when not recorded. */
  readonly arrivals?: readonly Progress[];
}

/** An exchange in the deployment's names. */
export interface Carried {
  readonly request: SentRequest;
  readonly answer: Pick<ReceivedResponse, 'status' | 'headers' | 'body'> | null;
}

/** How many bytes of a body had arrived at a time, bytes and ms. */
export interface Progress {
  readonly atMs: number;
  readonly bytesSoFar: number;
}

/**
 * One request and its outcome. `response` is null when no status line arrived; `error` then gives the reason.
 */
export interface Exchange {
  readonly label: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse | null;
  readonly error: string | null;
  /** The exchange on the wire, if a translation is between the check and the deployment. */
  readonly carried?: Carried;
  /** Whether we disconnected before its end, so that its answer proves nothing. */
  readonly isLeft?: true;
  /** When the request was sent and when the answer had arrived, Unix ms. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** The value of a response header, or null. Several of the same name are joined with commas as HTTP allows. */
export function header(exchange: Exchange, name: string): string | null {
  const found = exchange.response?.headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  return found.length === 0 ? null : found.map(([, value]) => value).join(', ');
}

export function mediaType(exchange: Exchange): string {
  return (header(exchange, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The status as text for a message, or the error without an answer. */
export function outcomeOf(exchange: Exchange): string {
  return exchange.response === null
    ? `no answer (${exchange.error ?? 'unknown'})`
    : `HTTP ${exchange.response.status}`;
}

/** Whether the request was served, with any status of success. A separate rule states which status it must be. */
export function isSuccess(
  exchange: Exchange,
): exchange is Exchange & { readonly response: ReceivedResponse } {
  const { response } = exchange;
  return response !== null && response.status >= 200 && response.status <= 299;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Bodies that were parsed before: many rules read the same answer. */
const parsed = new WeakMap<ReceivedResponse, unknown>();

/** Longer bodies are parsed again, so that none stays in memory twice. */
const maxParsedBytes = 64 * 1024;

/** The body as JSON, to be read only; `undefined` when it is not JSON in UTF-8, because no JSON text parses to it. */
export function jsonOf({ response }: Exchange): unknown {
  if (response === null) return undefined;
  if (parsed.has(response)) return parsed.get(response);
  const value = parsedBody(response.body);
  if (response.body.length <= maxParsedBytes) parsed.set(response, value);
  return value;
}

function parsedBody(body: Buffer): unknown {
  try {
    return JSON.parse(strictUtf8.decode(body));
  } catch {
    return undefined;
  }
}

/** The code of an error answer ("Errors"), of whatever type; undefined for every other answer. */
export function errorCodeOf(exchange: Exchange): unknown {
  return (jsonOf(exchange) as { error?: { code?: unknown } | null } | null | undefined)?.error?.code;
}

/** The field that an error answer names; null when it names none. */
export function errorParamOf(exchange: Exchange): string | null {
  const param = (jsonOf(exchange) as { error?: { param?: unknown } | null } | null | undefined)?.error?.param;
  return typeof param === 'string' ? param : null;
}

/** The start of the body as one line for a message. */
export function excerpt(exchange: Exchange, length = 300): string {
  // Reads no more of a long body than the line can need.
  const text = exchange.response?.body.subarray(0, 16 * length + 1_024).toString('utf8') ?? '';
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length)}…` : line;
}
