import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { headerPairs } from '../http/header-pairs.ts';
import { listen } from '../http/listen.ts';
import { collectBody } from '../http/read-body.ts';
import type { Header } from '../http/secrets.ts';
import type { Upstream } from '../http/upstream.ts';
import { type Capture, captureFormat } from '../recordings/capture-file.ts';
import { type Recorded, recordExchange } from './record-exchange.ts';
import { relay } from './relay.ts';

/** Limits of a recording. The proxy forwards traffic beyond them without recording it. */
export interface CaptureLimits {
  readonly exchanges: number;
  /** Bytes of requests and answers together. */
  readonly bytes: number;
}

const defaultLimits: CaptureLimits = { exchanges: 1000, bytes: 256 * 1024 * 1024 };

export interface CaptureOptions {
  readonly upstream: Upstream;
  readonly clock: Clock;
  /** Port 0 takes a free one. */
  readonly port: number;
  readonly limits?: CaptureLimits;
}

export interface RunningCapture {
  readonly url: string;
  /** Aborts requests in flight (recorded as silence of the upstream) and returns the recording. */
  close(): Promise<Capture>;
}

/** Starts a recording proxy on the loopback address. Rejects when the port is taken. */
export async function startCapture(options: CaptureOptions): Promise<RunningCapture> {
  const recorder = new Recorder(options);
  const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, maxHeaderSize: 1024 * 1024 };
  const server = createServer(limits, (request, response) => void recorder.record(request, response));
  server.timeout = 0;
  const port = await listen(server, options.port);
  return { url: `http://127.0.0.1:${port}`, close: () => recorder.close(server) };
}

class Recorder {
  readonly #upstream: Upstream;
  readonly #clock: Clock;
  readonly #limits: CaptureLimits;
  readonly #stop = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #recorded: Recorded[] = [];
  #lastN = 0;
  #bytes = 0;

  constructor({ upstream, clock, limits = defaultLimits }: CaptureOptions) {
    this.#upstream = upstream;
    this.#clock = clock;
    this.#limits = limits;
  }

  record(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const done = this.#record(request, response).finally(() => this.#inFlight.delete(done));
    this.#inFlight.add(done);
    return done;
  }

  async close(server: Server): Promise<Capture> {
    this.#stop.abort();
    server.close();
    await Promise.all(this.#inFlight);
    server.closeAllConnections();
    const inOrder = this.#recorded.toSorted((one, other) => numberOf(one) - numberOf(other));
    return {
      schema: captureFormat,
      upstream: this.#upstream.origin + this.#upstream.pathPrefix,
      exchanges: inOrder.flatMap((recorded) => (recorded.ok ? [recorded.exchange] : [])),
      left_out: inOrder.flatMap((recorded) =>
        recorded.ok ? [] : [{ n: recorded.n, reason: recorded.reason }],
      ),
    };
  }

  async #record(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#lastN += 1;
    const n = this.#lastN;
    const { method = 'GET', url: target = '/' } = request;
    const headers = headerPairs(request.rawHeaders);
    request.on('error', () => {});
    response.on('error', () => {});
    const { chunks, end } = await collectBody(request);
    if (end === 'broken') return;
    if (end === 'too-large') return refuse(response, 413, 'the request is larger than what is recorded');
    const body = Buffer.concat(chunks);
    const answered = await relay({
      upstream: this.#upstream,
      request: rewriteRequest({ method, target, headers, body }, this.#upstream),
      client: request.socket,
      clock: this.#clock,
      stopped: this.#stop.signal,
    });
    if (answered.ended === 'unreachable') refuse(response, 502, 'the upstream could not be reached');
    if (answered.ended === 'silence') request.socket.destroy();
    const bytes = answered.chunks.reduce((sum, chunk) => sum + chunk.bytes.length, body.length);
    this.#keep(n, bytes, () => recordExchange({ n, method, target, headers, body, response: answered }));
  }

  #keep(n: number, bytes: number, record: () => Recorded): void {
    const isFull =
      this.#bytes + bytes > this.#limits.bytes || this.#recorded.length >= this.#limits.exchanges;
    if (!isFull) this.#bytes += bytes;
    // The list of omitted exchanges is limited, too.
    if (this.#recorded.length >= 2 * this.#limits.exchanges) return;
    this.#recorded.push(isFull ? { ok: false, n, reason: 'there was no room for it' } : record());
  }
}

/** The request for the upstream: with the upstream's host, in one piece, and on a connection that closes after the answer. */
function rewriteRequest(
  {
    method,
    target,
    headers,
    body,
  }: { method: string; target: string; headers: readonly Header[]; body: Buffer },
  { host, pathPrefix }: Upstream,
): Buffer {
  const own = [
    'host',
    'connection',
    'keep-alive',
    'content-length',
    'transfer-encoding',
    'expect',
    'te',
    'upgrade',
  ];
  const kept = headers.filter(([name]) => !own.includes(name.toLowerCase()));
  const hasBody = body.length > 0 || ['POST', 'PUT', 'PATCH'].includes(method);
  const lines = [
    `${method} ${pathPrefix}${target} HTTP/1.1`,
    `host: ${host}`,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    ...(hasBody ? [`content-length: ${body.length}`] : []),
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed) return;
  response
    .writeHead(status, { 'content-type': 'text/plain', connection: 'close' })
    .end(`capture: ${message}\n`);
}

function numberOf(recorded: Recorded): number {
  return recorded.ok ? recorded.exchange.n : recorded.n;
}
