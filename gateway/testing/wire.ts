import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { type Dispatcher, request } from 'undici';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
  readonly json: any;
}

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The connection pool; by default the one that all tests share. */
  readonly dispatcher?: Dispatcher;
}

/** Sends a request and returns the head and the stream of its answer. */
export function startRead(url: string, question: Question = {}): ReturnType<typeof request> {
  const { body } = question;
  const headers: Record<string, string> = { ...question.headers };
  if (question.key !== undefined) headers.authorization = `Bearer ${question.key}`;
  if (body !== undefined) headers['content-type'] ??= 'application/json';
  return request(url, {
    method: question.method ?? 'GET',
    headers,
    ...(body !== undefined && {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
    ...(question.signal !== undefined && { signal: question.signal }),
    ...(question.dispatcher !== undefined && { dispatcher: question.dispatcher }),
  });
}

/** Sends a request that its caller leaves when `leave` is called. */
export function startLeavable(
  url: string,
  question: Question = {},
): { readonly answer: ReturnType<typeof request>; readonly leave: () => void } {
  const controller = new AbortController();
  const answer = startRead(url, { ...question, signal: controller.signal });
  answer.then(
    ({ body }) => body.on('error', () => {}),
    () => {},
  );
  return { answer, leave: () => controller.abort() };
}

export async function read(url: string, question: Question = {}): Promise<Answer> {
  const { statusCode, headers, body } = await startRead(url, question);
  const text = await body.text();
  const isJson = String(headers['content-type']).startsWith('application/json');
  return { status: statusCode, headers, text, json: isJson && text !== '' ? JSON.parse(text) : null };
}

/** The JSON payloads of a stream's events, and whether the stream ended in its marker. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a chunk.
export function parseEvents(text: string): { chunks: any[]; done: boolean } {
  const data = text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''));
  const done = data.at(-1) === '[DONE]';
  return { chunks: (done ? data.slice(0, -1) : data).map((payload) => JSON.parse(payload)), done };
}

/** The concatenated text of a stream. */
export function streamedText(text: string): string {
  return parseEvents(text)
    .chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '')
    .join('');
}

/** How long to listen for more bytes after an answer, in ms. */
const defaultSilenceMs = 150;

/**
 * Writes bytes to a socket and collects what comes back: at most `waitMs` for the first byte, then until a silence of
 * `silenceMs`, or until the other side closes.
 */
export function rawExchange(
  port: number,
  bytes: string | Buffer | (string | Buffer)[],
  waitMs = 400,
  silenceMs = defaultSilenceMs,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      socket.setTimeout(silenceMs);
    });
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined));
    socket.on('close', () => resolve(answer));
    for (const piece of Array.isArray(bytes) ? bytes : [bytes]) socket.write(piece, 'latin1');
  });
}

/** The answers in a raw exchange: status, lower-case header names, body by content-length. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
export function parseRaw(text: string): { status: number; headers: Record<string, string>; json: any }[] {
  const answers = [];
  for (let rest = text; rest !== ''; ) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ', 2)));
    const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
    const body = rest.slice(headEnd + 4, bodyEnd);
    const status = Number(statusLine.split(' ')[1]);
    if (status >= 200) answers.push({ status, headers, json: body === '' ? null : JSON.parse(body) });
    rest = rest.slice(bodyEnd);
  }
  return answers;
}
