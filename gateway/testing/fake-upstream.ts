import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the upstream saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a JSON body.
  readonly body: any;
  /** Resolves when the connection of this request closes before its answer is complete. */
  readonly aborted: Promise<void>;
}

export type Reply = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

/** A scripted upstream for tests of the gateway, independent of simulators/. */
export interface FakeUpstream {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Answers for the next requests, in order; after them `fallback` answers. */
  readonly queue: Reply[];
  fallback: Reply;
  /** Token-counting calls, and their answer; they use no reply of the queue. */
  readonly counted: SeenRequest[];
  count: Reply;
  /** GET requests, and their answers: `answers` in order, then `answer`. */
  readonly asked: SeenRequest[];
  readonly answers: Reply[];
  answer: Reply;
  /** Resolves when `count` requests have arrived. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** The paths of token-counting calls, over all dialects. */
const counting = /(?:\/count_tokens|:countTokens)$/;

export async function startFakeUpstream(): Promise<FakeUpstream> {
  const waiters: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    // A caller that is killed while sending leaves half a request.
    take(request, response).catch(() => response.destroy());
  });
  const upstream: Omit<FakeUpstream, 'url'> = {
    seen: [],
    queue: [],
    fallback: completion('Hello'),
    counted: [],
    count: json(200, { input_tokens: 11, totalTokens: 11 }),
    asked: [],
    answers: [],
    answer: json(404, { error: { message: 'none', code: 'not_found' } }),
    waitFor: (count) =>
      new Promise((resolve) => {
        waiters.push({ count, resolve });
        wake();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const wake = (): void => {
    for (const waiter of waiters) if (upstream.seen.length >= waiter.count) waiter.resolve();
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const aborted = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    response.on('error', () => {});
    const body = text === '' ? null : JSON.parse(text);
    const seen = { path: request.url ?? '', headers: request.headers, text, body, aborted };
    if (request.method === 'GET') {
      upstream.asked.push(seen);
      await (upstream.answers.shift() ?? upstream.answer)(response, seen);
      return;
    }
    if (counting.test(seen.path)) {
      upstream.counted.push(seen);
      await upstream.count(response, seen);
      return;
    }
    upstream.seen.push(seen);
    wake();
    await (upstream.queue.shift() ?? upstream.fallback)(response, seen);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(upstream, { url: `http://127.0.0.1:${port}` });
}

export const testUsage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  prompt_tokens_details: { cached_tokens: 3 },
};

/** The same counts in the gateway's shape, and its form of missing usage. */
export const ourUsage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
};

/** A plain native answer with the given text. */
export function completion(
  text: string | null,
  more: { message?: object; finish?: unknown; usage?: unknown } = {},
): Reply {
  return json(200, {
    id: 'native-id',
    object: 'chat.completion',
    created: 1,
    model: 'native-name',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...more.message },
        finish_reason: more.finish ?? 'stop',
      },
    ],
    usage: 'usage' in more ? more.usage : testUsage,
  });
}

/** Any JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Never answers. */
export const hang: Reply = () => {};

/** Cuts the connection without sending a byte. */
export const cut: Reply = (response) => {
  response.socket?.destroy();
};

/** Chunk with this delta. */
export function delta(fields: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'native', object: 'chat.completion.chunk', model: 'native-name', choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;
}

/** The frame with the usage. */
export const usageFrame = `data: ${JSON.stringify({ choices: [], usage: testUsage })}\n\n`;

/** The usual frames of a stream: role, texts, finish, usage, end. */
export function frames(texts: readonly string[], finish = 'stop'): string[] {
  return [
    delta({ role: 'assistant', content: '' }),
    ...texts.map((content) => delta({ content })),
    delta({}, finish),
    usageFrame,
    'data: [DONE]\n\n',
  ];
}

/** How a stream stops: normally, never, or by a reset. */
export type StreamEnd = 'fin' | 'hang' | 'reset';

/** A stream of these pieces. */
export function events(pieces: readonly (string | Uint8Array)[], end: StreamEnd = 'fin'): Reply {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    if (end === 'fin') response.end();
    if (end === 'reset') response.socket?.resetAndDestroy();
  };
}
