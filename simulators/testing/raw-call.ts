import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AnswerKind, ChatDialectName } from '../answers/native-answer.ts';

/** A call over a socket of its own, read byte for byte. */
export interface RawCall {
  readonly socket: Socket;
  /** Everything that has arrived so far. */
  bytes(): Buffer;
  text(): string;
  /** Resolves when the expected text has arrived. Rejects if the connection ends first. */
  until(wanted: (text: string) => boolean): Promise<void>;
  /** Resolves when the connection has ended: with `fin`, or with the error code of an RST. */
  readonly over: Promise<'fin' | 'ECONNRESET' | string>;
}

export interface RawOptions {
  readonly dialect?: ChatDialectName;
  readonly call?: AnswerKind;
  /** Whether a generate-content stream is requested as one JSON array. Default false. */
  readonly inArray?: boolean;
  /** Another path behind the base, whose request has no members but those of `body`. */
  readonly at?: string;
  /** Further members of the request body. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly connection?: 'close' | 'keep-alive';
  /** An open connection to use again. */
  readonly socket?: Socket;
}

/** Sends one call of the dialect to a channel: `base` is its URL up to `/v1`, as the tests have it. */
export function rawCall(base: string, options: RawOptions = {}): RawCall {
  const { dialect = 'chat-completions', call = 'plain', body = {}, connection = 'close' } = options;
  const { hostname, port, host, pathname } = new URL(base);
  const socket = options.socket ?? connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const form = formOf(dialect, call, pathname, options.inArray === true);
  const { headers } = form;
  const { path, members } =
    options.at === undefined ? form : { path: `${pathname}${options.at}`, members: {} };
  const text = JSON.stringify({ ...members, ...body });
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    `connection: ${connection}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...headers,
  ];
  const started = listen(socket);
  socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
  return started;
}

function listen(socket: Socket): RawCall {
  const chunks: Buffer[] = [];
  const watchers = new Set<() => void>();
  let end: string | null = null;
  const notify = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    notify();
  });
  const over = new Promise<string>((resolve) => {
    const finish = (how: string): void => {
      end ??= how;
      resolve(end);
      notify();
    };
    socket.once('end', () => finish('fin'));
    socket.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
    socket.once('close', () => finish('fin'));
  });
  const bytes = (): Buffer => Buffer.concat(chunks);
  const text = (): string => bytes().toString('utf8');
  const until = (wanted: (text: string) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const observation = (): void => {
        if (!wanted(text()) && end === null) return;
        watchers.delete(observation);
        if (wanted(text())) resolve();
        else reject(new Error(`over by ${end} after ${JSON.stringify(text())}`));
      };
      watchers.add(observation);
      observation();
    });
  return { socket, bytes, text, until, over };
}

interface RequestForm {
  readonly path: string;
  readonly headers: readonly string[];
  readonly members: Readonly<Record<string, unknown>>;
}

function formOf(dialect: ChatDialectName, call: AnswerKind, pathname: string, inArray: boolean): RequestForm {
  const stream = call === 'stream' ? { stream: true } : {};
  const messages = [{ role: 'user', content: 'Say something.' }];
  switch (dialect) {
    case 'chat-completions': {
      const counted = call === 'stream' ? { stream_options: { include_usage: true } } : {};
      const members = { model: 'a52-2026-08-07', messages, ...stream, ...counted };
      return {
        path: `${pathname}/chat/completions`,
        headers: ['authorization: Bearer sk-upstream'],
        members,
      };
    }
    case 'messages':
      return {
        path: `${pathname}/messages`,
        headers: ['x-api-key: sk-upstream', 'anthropic-version: 2023-06-01'],
        members: { model: 'bl-4-5-20260801', max_tokens: 1000, messages, ...stream },
      };
    case 'generate-content': {
      const act = call === 'stream' ? `streamGenerateContent${inArray ? '' : '?alt=sse'}` : 'generateContent';
      return {
        path: `${pathname.replace(/\/v1$/, '/v1beta')}/models/g3f-2026-09:${act}`,
        headers: ['x-goog-api-key: sk-upstream'],
        members: { contents: [{ role: 'user', parts: [{ text: 'Say something.' }] }] },
      };
    }
  }
}

/** The parts of an answer that came as ordinary HTTP. */
export interface ParsedAnswer {
  readonly statusLine: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The bytes of the body, including their transfer coding. */
  readonly body: Buffer;
}

export function parseAnswer(bytes: Buffer): ParsedAnswer {
  const at = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, at).split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { statusLine, headers, body: bytes.subarray(at + 4) };
}

/** The complete chunks of a chunked body, and whether the last chunk arrived. */
export function readChunks(body: Buffer): { readonly chunks: Buffer[]; readonly ended: boolean } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let line = body.indexOf('\r\n', at); line !== -1; line = body.indexOf('\r\n', at)) {
    const size = Number.parseInt(body.toString('latin1', at, line), 16);
    if (size === 0) return { chunks, ended: true };
    const end = line + 2 + size;
    if (Number.isNaN(size) || body.length < end + 2) break;
    chunks.push(body.subarray(line + 2, end));
    at = end + 2;
  }
  return { chunks, ended: false };
}
