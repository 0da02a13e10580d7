import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Upstream } from '../http/upstream.ts';
import type { RecordedEnd } from '../recordings/recorded.ts';

/** The bytes of an upstream's answer. Times are ms after the request was sent. */
export interface RawResponse {
  readonly chunks: readonly { readonly atMs: number; readonly bytes: Buffer }[];
  /** `unreachable`: the connection failed, so there is nothing to record. */
  readonly ended: RecordedEnd | 'unreachable';
  readonly endedAtMs: number;
}

export interface RelayParts {
  readonly upstream: Upstream;
  /** The whole request, as it is sent. */
  readonly request: Buffer;
  /** Receives the answer byte for byte, and its end. */
  readonly client: Socket;
  readonly clock: Clock;
  /** Aborts when the capture ends. */
  readonly stopped: AbortSignal;
}

/**
 * When to send meaningless line ends after the upstream's FIN, ms. A closed upstream resets the connection, which a later
 * write reveals; a half-closed one accepts all of them.
 */
const probesMs: readonly number[] = [0, 10, 50, 150, 300, 500];

/** Sends a request over its own connection and forwards the answer as it arrives. */
export function relay(parts: RelayParts): Promise<RawResponse> {
  return new Promise((resolve) => new Relay(parts, resolve).run());
}

class Relay {
  readonly #parts: RelayParts;
  readonly #resolve: (response: RawResponse) => void;
  readonly #socket: Socket;
  readonly #connectEvent: 'connect' | 'secureConnect';
  readonly #chunks: { atMs: number; bytes: Buffer }[] = [];
  /** Null until the request has been sent. */
  #startMs: number | null = null;
  /** Set once the upstream has ended its half. */
  #finAtMs: number | null = null;
  #isOver = false;

  constructor(parts: RelayParts, resolve: (response: RawResponse) => void) {
    this.#parts = parts;
    this.#resolve = resolve;
    const { socket, event } = parts.upstream.connect();
    this.#socket = socket;
    this.#connectEvent = event;
  }

  run(): void {
    const { client, request, stopped, clock } = this.#parts;
    const socket = this.#socket.setNoDelay(true);
    client.setNoDelay(true);
    socket.once(this.#connectEvent, () => {
      socket.write(request);
      this.#startMs = clock.now();
    });
    socket.on('data', (bytes: Buffer) => this.#pass(bytes));
    socket.on('end', () => this.#ended());
    socket.on('error', () => this.#broken());
    client.on('error', () => {});
    client.on('close', () => this.#clientClosed());
    stopped.addEventListener('abort', () => this.#stopped(), { once: true });
    if (stopped.aborted) this.#stopped();
    if (client.destroyed) this.#clientClosed();
  }

  #pass(bytes: Buffer): void {
    const { client } = this.#parts;
    this.#chunks.push({ atMs: this.#sinceStart(), bytes });
    // Backpressure: a slow client slows the upstream down, as it would without a proxy.
    if (client.write(bytes)) return;
    this.#socket.pause();
    client.once('drain', () => this.#socket.resume());
  }

  /** A FIN of the upstream does not show whether it still reads. */
  #ended(): void {
    const { client, clock } = this.#parts;
    this.#finAtMs = this.#sinceStart();
    client.end();
    for (const delayMs of probesMs) clock.schedule(delayMs, () => this.#socket.write('\r\n'));
    clock.schedule((probesMs.at(-1) ?? 0) + 1, () => this.#finish('half-close'));
  }

  #broken(): void {
    const { client } = this.#parts;
    if (this.#finAtMs !== null) this.#finish('fin');
    else if (this.#startMs === null) this.#finish('unreachable');
    else {
      this.#finish('rst');
      // The client must receive all bytes that came before the reset.
      client.write('', () => client.resetAndDestroy());
    }
  }

  #clientClosed(): void {
    if (this.#finAtMs === null) this.#finish('client-left');
  }

  /** After a FIN, the probes decide shortly. Otherwise the exchange ends now. */
  #stopped(): void {
    if (this.#finAtMs === null) this.#finish(this.#startMs === null ? 'unreachable' : 'silence');
  }

  #sinceStart(): number {
    const { clock } = this.#parts;
    return Math.max(0, Math.round((clock.now() - (this.#startMs ?? clock.now())) * 1000) / 1000);
  }

  #finish(ended: RawResponse['ended']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const endedAtMs = this.#finAtMs ?? this.#sinceStart();
    this.#socket.destroy();
    this.#resolve({ chunks: this.#chunks, ended, endedAtMs });
  }
}
