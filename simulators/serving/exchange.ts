import type { Frame, TextFrame } from '../answers/native-answer.ts';
import { chunksOf, lastChunk } from '../answers/wire-form.ts';
import type { ConnectionEnd } from '../answers/wire-program.ts';
import type { Clock } from '../clock.ts';
import type { Reply } from '../control/protocol.ts';
import { type BodyEnd, type CollectedBody, type Incoming, readBody } from '../http/read-body.ts';
import type { JournalRecord } from '../state/journal-record.ts';
import { SentText } from '../state/sent-text.ts';
import type { LiveRequest, Tenant } from '../state/tenant.ts';
import type { Connection } from './connection.ts';

/** Every wait and write throws this once the connection has ended: no client is left to answer. */
export class ExchangeEnded extends Error {
  override readonly name = 'ExchangeEnded';
}

const exchangeEnded = new ExchangeEnded();

export interface ExchangeParts {
  readonly request: Incoming;
  readonly connection: Connection;
  readonly tenant: Tenant;
  readonly record: JournalRecord;
  readonly clock: Clock;
}

/**
 * One request and its operations: write, wait, hang, cut. Each is journalled as it happens.
 * Dialects and faults are programs over these operations; no other code touches the connection.
 */
export class Exchange implements LiveRequest {
  readonly tenant: Tenant;
  readonly record: JournalRecord;
  readonly connection: Connection;
  readonly #request: Incoming;
  readonly #clock: Clock;
  #isOver = false;
  /** Whether the body is chunked; its chunks are made here. */
  #isChunked = false;
  /** Cancels the current wait; there is at most one. */
  #giveUp: (() => void) | null = null;
  #openGate: ((instead: Reply | undefined) => boolean) | null = null;

  constructor({ request, connection, tenant, record, clock }: ExchangeParts) {
    this.tenant = tenant;
    this.record = record;
    this.#request = request;
    this.connection = connection;
    this.#clock = clock;
    connection.onClose(() => this.#closed());
    tenant.attach(this);
  }

  get n(): number {
    return this.record.n;
  }

  /**
   * Reads the body to its end, unless it was read before, then calls `onRead`: with false if the body exceeds the size limit.
   * Does not call it if the connection has ended.
   */
  readBody(early: CollectedBody | null, onRead: (isWhole: boolean) => void): void {
    const onEnd = (end: BodyEnd): void => {
      // The connection may have ended before this listener was added.
      if (end === 'broken' && this.connection.isClosed) this.#closed();
      if (end === 'broken' || this.#isOver) return;
      if (end === 'whole') this.record.receivedAll();
      onRead(end === 'whole');
    };
    if (early === null) {
      readBody(this.#request, (chunk) => this.record.received(chunk), onEnd);
    } else {
      for (const chunk of early.chunks) this.record.received(chunk);
      onEnd(early.end);
    }
  }

  /** A whole answer, head and body, in one write. */
  answer(
    status: number,
    headers: Readonly<Record<string, string>>,
    frames: readonly TextFrame[],
    startMs: number,
  ): void {
    this.#expectOpen();
    const isChunked = this.connection.head(status, headers);
    const whole = new SentText(frames, isChunked, { startMs, atMs: this.#clock.now() });
    this.record.sentWhole({ status, headers: Object.entries(headers) }, whole);
    this.connection.end(whole.wire);
  }

  /** Sets the head. With `flush` it leaves now, else together with the first bytes of the body. */
  head(status: number, headers: Readonly<Record<string, string>>, intendedMs: number, flush: boolean): void {
    this.#expectOpen();
    this.#isChunked = this.connection.head(status, headers);
    if (flush) this.connection.flush();
    const actualMs = this.#clock.now();
    const send = { label: 'head', intended_ms: intendedMs, actual_ms: actualMs, bytes: 0 };
    this.record.sentHead({ status, headers: Object.entries(headers) }, send);
  }

  /** Frames in one write, each a chunk of its own; resolves when they have left the process. */
  async send(frames: readonly Frame[], startMs: number): Promise<void> {
    this.#expectOpen();
    const left = new Promise<void>((resolve) =>
      this.connection.write(this.#bodyOf(frames, false), () => resolve()),
    );
    this.record.sentTogether(frames, startMs, this.#clock.now());
    await left;
    this.#expectOpen();
  }

  /** The last write, which completes the answer. */
  finish(frames: readonly Frame[], startMs: number): void {
    this.#expectOpen();
    this.record.sentTogether(frames, startMs, this.#clock.now());
    this.connection.end(this.#bodyOf(frames, true));
  }

  /** Ends an answer whose last frame has been sent. */
  close(): void {
    this.#expectOpen();
    this.connection.end(this.#isChunked ? lastChunk : undefined);
  }

  /**
   * One raw write, bypassing HTTP. It resolves when the bytes have left the process, so never faster than the
   * client.
   */
  async sendWire(label: string, bytes: Buffer, intendedMs: number): Promise<void> {
    this.#expectOpen();
    const left = new Promise<void>((resolve) => this.connection.writeRaw(bytes, () => resolve()));
    const send = { label, intended_ms: intendedMs, actual_ms: this.#clock.now(), bytes: bytes.length };
    this.record.sentWire(send, bytes);
    await left;
    this.#expectOpen();
  }

  /** Ends the connection after a complete answer of raw writes. */
  closeWire(): void {
    this.#expectOpen();
    this.record.end('complete', this.#clock.now());
    this.connection.breakOff('fin');
  }

  /** Notes that this request has no script. */
  noteUnexpected(why: () => string): void {
    const { method = 'GET', url: path = '/' } = this.#request;
    this.tenant.noteUnexpected({ n: this.n, method, path, why });
  }

  /** Yields to the event loop. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#expectOpen();
  }

  /** Waits on the simulators' clock. */
  async sleepUntil(atMs: number): Promise<void> {
    const leftMs = atMs - this.#clock.now();
    if (leftMs <= 0) return;
    await this.#untilCalled((wake) => {
      const timer = this.#clock.schedule(leftMs, wake);
      return () => timer.cancel();
    });
  }

  /** Waits for an event outside this exchange. */
  async waitFor(event: Promise<unknown>): Promise<void> {
    await this.#untilCalled((wake) => {
      void event.then(wake, wake);
      return () => {};
    });
  }

  /**
   * Waits at a gate until it is released. An earlier release does not count. Resolves with the reply to send in place of
   * what was planned; null where the release has none.
   */
  async waitAt(gate: string): Promise<Reply | null> {
    const given: Reply[] = [];
    await this.#wait(gate, (open) => {
      this.#openGate = (instead) => {
        // What has begun cannot become another answer.
        if (instead !== undefined && gate !== 'head') return false;
        if (instead !== undefined) given.push(instead);
        open();
        return true;
      };
    });
    return given[0] ?? null;
  }

  /** Hangs until the client disconnects or the tenant is reset. */
  async hang(): Promise<never> {
    await this.#wait('hang', () => {});
    throw new ExchangeEnded();
  }

  /** Ends the connection in the middle of the answer. With `half-close` and `silence` it is still read. */
  async cut(by: ConnectionEnd): Promise<never> {
    this.#expectOpen();
    if (by === 'silence') return this.hang();
    this.record.end('cut', this.#clock.now());
    this.connection.breakOff(by);
    if (by === 'half-close') await this.#untilCalled(() => () => {});
    throw exchangeEnded;
  }

  openGate(instead?: Reply): boolean {
    if (this.#openGate?.(instead) !== true) return false;
    this.#openGate = null;
    return true;
  }

  end(): void {
    this.record.end('cut', this.#clock.now());
    this.connection.destroy();
    this.#stop();
  }

  now(): number {
    return this.#clock.now();
  }

  #bodyOf(frames: readonly Frame[], isLast: boolean): Buffer {
    if (this.#isChunked) return chunksOf(frames, isLast);
    const [frame] = frames;
    return frame !== undefined && frames.length === 1
      ? frame.bytes
      : Buffer.concat(frames.map(({ bytes }) => bytes));
  }

  #wait(at: string, onWaiting: (open: () => void) => void): Promise<void> {
    const opened = this.#untilCalled((open) => {
      onWaiting(() => {
        this.record.waits(null);
        open();
      });
      return () => {};
    });
    this.record.waits(at);
    return opened;
  }

  /**
   * Resolves when the callback given to `begin` is called. When the exchange ends first, it undoes `begin` and
   * rejects.
   */
  #untilCalled(begin: (call: () => void) => () => void): Promise<void> {
    this.#expectOpen();
    // Not an AbortSignal: a stream waits for every frame, and each listener would cost as much as the frame
    // itself.
    return new Promise((resolve, reject) => {
      const undo = begin(() => {
        this.#giveUp = null;
        resolve();
      });
      this.#giveUp = () => {
        undo();
        reject(exchangeEnded);
      };
    });
  }

  #closed(): void {
    // This has no effect when the answer was cut before.
    this.record.end(this.connection.isFinished ? 'complete' : 'client-gone', this.#clock.now());
    this.#stop();
  }

  #stop(): void {
    this.tenant.detach(this);
    this.#openGate = null;
    this.#isOver = true;
    const giveUp = this.#giveUp;
    this.#giveUp = null;
    giveUp?.();
  }

  #expectOpen(): void {
    if (this.#isOver) throw exchangeEnded;
  }
}
