import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { RecordedEnd } from '../recordings/recorded.ts';
import type { Upstream } from './upstream.ts';

/** What came from the upstream, as it came. Times are ms after the request was sent. */
export interface RawResponse {
  readonly chunks: readonly { readonly atMs: number; readonly bytes: Buffer }[];
  /** `unreachable`: there was no connection, and nothing to record. */
  readonly ended: RecordedEnd | 'unreachable';
  readonly endedAtMs: number;
}

export interface RelayParts {
  readonly upstream: Upstream;
  /** The whole request, as it is sent. */
  readonly request: Buffer;
  /** Takes the answer, byte for byte, and its end. */
  readonly client: Socket;
  readonly clock: Clock;
  /** Aborts when nobody is going to wait any longer. */
  readonly stopped: AbortSignal;
}

/**
 * When, ms after the end of its half, an upstream is sent bytes that mean nothing between two requests. One that has
 * closed the connection refuses them, which shows in the write after that; one that takes all of them reads on.
 */
const probesMs: readonly number[] = [0, 10, 50, 150, 300, 500];

/** Passes a request on over a connection of its own, and its answer back as it comes. */
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
    // A client that is slower than the upstream slows it down, as it would without us.
    if (client.write(bytes)) return;
    this.#socket.pause();
    client.once('drain', () => this.#socket.resume());
  }

  /** An end of the upstream's half tells nothing of ours. */
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
      // What came before the reset is to reach the client before it, too.
      client.write('', () => client.resetAndDestroy());
    }
  }

  #clientClosed(): void {
    if (this.#finAtMs === null) this.#finish('client-left');
  }

  /** An upstream that has ended its half is known in a moment. */
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
