import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { eventHeaders } from '../../suites/oracle/webhooks/sign.ts';
import { signedEvent, signedText } from '../../suites/rewrite/event-signature.ts';
import { startFrontProxy } from '../../suites/rewrite/front-proxy.ts';
import type { DeliveryRoute, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { openResponse, startOrigin } from '../../suites/rewrite/testing/origin.ts';
import type { Variant } from '../edits/mutant.ts';

type Json = Record<string, unknown>;

/** Sends answers as a gateway behind the variant would, and returns what a client in front of it receives. */
export interface Probe {
  /** A non-streamed answer to a request with the members `asked`. `more` replaces members of the completion. */
  plain(more?: Json, asked?: Json): Promise<Got>;
  /** An error with that status and error object, and with Retry-After. */
  error(status: number, error: Json): Promise<Got>;
  /** A stream of these chunks, each in a separate write, with a pause before the last one. */
  stream(chunks?: readonly Json[], asked?: Json): Promise<Got>;
  /** The body of a chat request as received by the gateway behind the variant, or the variant's rejection. */
  sends(body: Json | string): Promise<{ readonly reached: unknown; readonly refused: unknown }>;
  /** The same for a request to another path, with these headers. */
  sendsTo(
    path: string,
    body: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<{
    readonly reached: unknown;
    readonly path: string;
    readonly headers: object;
    readonly refused: unknown;
  }>;
  /** The deliveries of an event, signed by `eventSecret`, to a receiver with these statuses; 200 after them. */
  delivers(payload: Json, statuses?: readonly number[]): Promise<readonly ProxyRequest[]>;
  /** The answer that a client gets on another path if the gateway sends `said`; status 200 by default. */
  through(method: 'GET' | 'POST', path: string, said: Json, body?: Json, status?: number): Promise<Got>;
  close(): Promise<void>;
}

export interface Got {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Decoded if it was compressed. */
  readonly text: string;
  /** The number of pieces of the body, and the time until its head, ms. */
  readonly pieces: number;
  readonly headMs: number;
  /** The connection broke before the end. */
  readonly broken: boolean;
}

export const completion: Json = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Grüße 👋 there' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 1,
    completion_tokens: 2,
    total_tokens: 3,
    prompt_tokens_details: { cached_tokens: 0 },
  },
};

/** A completion that ends in a tool call. */
export const called: Json = {
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
};

const chunk = (delta: Json, finish: string | null = null, more: Json = {}): Json => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});

export const chunks: readonly Json[] = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Grüße 👋 ' }),
  chunk({ content: 'there' }),
  chunk({
    tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
  }),
  chunk({}, 'stop', { usage: completion.usage }),
];

/** The secret that signs the events of the probe. */
export const eventSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** The pause of a stream before its last chunk, ms. */
const pauseMs = 80;

/** A client on one side of a variant and a gateway on the other, over real connections. */
export async function startProbe(variant: Variant): Promise<Probe> {
  let answer: (response: ServerResponse, body: Buffer, request: IncomingMessage) => void = () => undefined;
  const origin = await startOrigin((request, response, body) => answer(response, body, request));
  const proxy = await startFrontProxy(origin.url, new Map([['v', variant.mutation]]));
  const url = `${proxy.baseUrlOf('v')}/api/v1/chat/completions`;
  const ask = async (answering: typeof answer, body: string): Promise<Got> => {
    answer = answering;
    return fetched(url, body);
  };
  return {
    plain: (more = {}, asked = {}) =>
      ask((response) => json(response, 200, { ...completion, ...more }), JSON.stringify(asked)),
    error: (status, error) =>
      ask((response) => json(response, status, { error }, [['retry-after', '7']]), '{}'),
    stream: (list = chunks, asked = {}) =>
      ask((response) => void streamed(response, list), JSON.stringify(asked)),
    sends: async (body) => {
      let reached: unknown = null;
      const got = await ask(
        (response, bytes) => {
          reached = JSON.parse(bytes.toString());
          json(response, 200, completion);
        },
        typeof body === 'string' ? body : JSON.stringify(body),
      );
      return { reached, refused: refusalIn(got) };
    },
    sendsTo: async (path, body, headers) => {
      let reached: unknown = null;
      let arrived = { headers: {}, path: '' };
      answer = (response, bytes, request) => {
        reached = JSON.parse(bytes.toString());
        arrived = { headers: request.headers, path: request.url ?? '' };
        json(response, 200, completion);
      };
      const target = `${proxy.baseUrlOf('v')}${path}`;
      const got = await fetched(target, JSON.stringify(body), Object.entries(headers));
      return { reached, ...arrived, refused: refusalIn(got) };
    },
    through: async (method, path, said, body, status = 200) => {
      answer = (response) => json(response, status, said);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      return fetched(`${proxy.baseUrlOf('v')}${path}`, sent, [], method);
    },
    delivers: async (payload, statuses = []) => delivered(variant, payload, statuses),
    close: async () => {
      await proxy.close();
      await origin.close();
    },
  };
}

async function delivered(
  { mutation: { deliver } }: Variant,
  payload: Json,
  statuses: readonly number[],
): Promise<ProxyRequest[]> {
  const got: ProxyRequest[] = [];
  const eventRoute: DeliveryRoute = {
    attempt: 1,
    forward: async (event) => {
      got.push(event);
      return { status: statuses[got.length - 1] ?? 200, headers: [], body: Buffer.alloc(0) };
    },
    sign: (event, claims = {}) => signedEvent(event, eventSecret, claims),
    signText: (event, text) => signedText(event, eventSecret, text),
    knowsSecret: true,
    plainOrigin: 'http://127.0.0.1:1',
    pathOf: () => null,
  };
  const body = Buffer.from(JSON.stringify(payload));
  const headers = eventHeaders([eventSecret], { id: 'evt_1', timestamp: '1700000000', body });
  await deliver?.({ method: 'POST', path: '/a%7e%2f', headers, body }, eventRoute);
  return got;
}

function refusalIn({ status, text }: Got): unknown {
  const { error } = JSON.parse(text) as { error?: { code: string; param: string } };
  return error === undefined ? null : [status, error.code, error.param];
}

async function fetched(
  url: string,
  body: string | undefined,
  more: [string, string][] = [],
  method: 'GET' | 'POST' = 'POST',
): Promise<Got> {
  const start = performance.now();
  const response = await openResponse(url, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: [['accept-encoding', 'gzip'], ...more],
  });
  const headMs = performance.now() - start;
  const pieces: Buffer[] = [];
  let broken = false;
  try {
    for await (const bytes of response) pieces.push(bytes as Buffer);
  } catch {
    broken = true;
  }
  const whole = Buffer.concat(pieces);
  const packed = response.headers['content-encoding'] === 'gzip';
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2)
    headers.push([response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '']);
  return {
    status: response.statusCode ?? 0,
    headers,
    text: (packed ? gunzipSync(whole) : whole).toString(),
    pieces: pieces.length,
    headMs,
    broken,
  };
}

function json(response: ServerResponse, status: number, body: Json, more: [string, string][] = []): void {
  const headers = Object.fromEntries([['content-type', 'application/json'], ...more]);
  response.writeHead(status, headers).end(JSON.stringify(body));
}

async function streamed(response: ServerResponse, list: readonly Json[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [index, one] of list.entries()) {
    if (index === list.length - 1) await wait(pauseMs);
    response.write(`data: ${JSON.stringify(one)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}
