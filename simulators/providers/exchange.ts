import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { JournalRecord } from '../control/journal.ts';
import type { Lane, LiveRequest } from '../control/lane.ts';

/** Thrown out of every wait and write once the connection is over; nobody is left to answer. */
export class ExchangeEnded extends Error {
  override readonly name = 'ExchangeEnded';
}

const exchangeEnded = new ExchangeEnded();

/** What an exchange is about, beside its two streams. */
export interface ExchangeParts {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lane: Lane;
  readonly record: JournalRecord;
  readonly clock: Clock;
}

/** The largest body that is read. */
const mostBodyBytes = 64 * 1024 * 1024;

/**
 * One request and the few things that can be done to it: write, wait, hang, cut. Each is journalled as it
 * happens. Dialects and faults are programs over these; nothing else touches the connection.
 */
export class Exchange implements LiveRequest {
  readonly lane: Lane;
  readonly record: JournalRecord;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #openGate: (() => void) | null = null;

  constructor({ request, response, lane, record, clock }: ExchangeParts) {
    this.lane = lane;
    this.record = record;
    this.#request = request;
    this.#response = response;
    this.#clock = clock;
    request.socket.setNoDelay(true);
    // Broken connections surface as 'close'; the errors themselves tell nothing more.
    request.on('error', () => {});
    response.on('error', () => {});
    response.on('finish', () => record.end('complete', clock.now()));
    response.on('close', () => this.#closed());
    lane.attach(this);
  }

  get n(): number {
    return this.record.n;
  }

  /** Reads the body to its end; false when it is larger than anything accepted here. */
  async readBody(): Promise<boolean> {
    let bytes = 0;
    try {
      // Left early, the iterator must not take the connection with it: a refusal is still to be sent.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
        bytes += chunk.length;
        if (bytes > mostBodyBytes) break;
        this.record.received(chunk);
      }
    } catch {
      throw new ExchangeEnded();
    }
    this.#expectOpen();
    if (bytes > mostBodyBytes) {
      this.#request.resume();
      return false;
    }
    this.record.receivedAll();
    return true;
  }

  /** Sets the head; with `flush` it leaves now, else together with the first bytes of the body. */
  head(status: number, headers: Readonly<Record<string, string>>, intendedMs: number, flush: boolean): void {
    this.#expectOpen();
    this.#response.writeHead(status, headers);
    if (flush) this.#response.flushHeaders();
    const actualMs = this.#clock.now();
    this.record.sentHead(status, { label: 'head', intended_ms: intendedMs, actual_ms: actualMs, bytes: 0 });
  }

  /** One write of its own; resolves when it has left the process. */
  async send(label: string, bytes: Buffer, intendedMs: number): Promise<void> {
    this.#expectOpen();
    const left = new Promise<void>((resolve) => this.#response.write(bytes, () => resolve()));
    this.#sent(label, bytes, intendedMs);
    await left;
    this.#expectOpen();
  }

  /** The last write, which completes the answer. */
  async finish(label: string, bytes: Buffer, intendedMs: number): Promise<void> {
    this.#expectOpen();
    const left = new Promise<void>((resolve) => {
      this.#response.once('finish', resolve);
      this.#response.once('close', resolve);
    });
    this.#sent(label, bytes, intendedMs);
    this.#response.end(bytes);
    await left;
  }

  /** Waits on the simulators' clock. */
  async sleepUntil(atMs: number): Promise<void> {
    await this.#clock.sleep(atMs - this.#clock.now(), this.#over.signal);
  }

  /** Waits at a gate until somebody releases it. A release that came earlier does not count. */
  async waitAt(gate: string): Promise<void> {
    await this.#wait(gate, (open) => {
      this.#openGate = open;
    });
  }

  /** Stands still until the client leaves or the lane is reset. */
  async hang(): Promise<never> {
    await this.#wait('hang', () => {});
    throw new ExchangeEnded();
  }

  /** Ends the connection in the middle of the answer: with FIN, or with RST. */
  cut(by: 'fin' | 'rst'): never {
    this.record.end('cut', this.#clock.now());
    const { socket } = this.#request;
    if (by === 'rst') socket.resetAndDestroy();
    else socket.destroySoon();
    throw new ExchangeEnded();
  }

  openGate(): boolean {
    const open = this.#openGate;
    this.#openGate = null;
    open?.();
    return open !== null;
  }

  end(): void {
    this.record.end('cut', this.#clock.now());
    this.#request.socket.destroy();
    this.#stop();
  }

  now(): number {
    return this.#clock.now();
  }

  #sent(label: string, bytes: Buffer, intendedMs: number): void {
    const actualMs = this.#clock.now();
    this.record.sent({ label, intended_ms: intendedMs, actual_ms: actualMs, bytes: bytes.length }, bytes);
  }

  #wait(at: string, onWaiting: (open: () => void) => void): Promise<void> {
    this.#expectOpen();
    const { signal } = this.#over;
    const waiting = new Promise<void>((resolve, reject) => {
      const leave = (): void => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      onWaiting(() => {
        signal.removeEventListener('abort', leave);
        this.record.waits(null);
        resolve();
      });
    });
    this.record.waits(at);
    return waiting;
  }

  #closed(): void {
    // Counts only when the answer had not been finished or cut before.
    this.record.end('client-gone', this.#clock.now());
    this.#stop();
  }

  #stop(): void {
    this.lane.detach(this);
    this.#openGate = null;
    // One reason for all: every exchange ends here, and its stack would tell nothing.
    this.#over.abort(exchangeEnded);
  }

  #expectOpen(): void {
    if (this.#over.signal.aborted) throw new ExchangeEnded();
  }
}
