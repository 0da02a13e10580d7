import type { Dispatcher } from 'undici';

/** What a client reports about the connection of a call. */
export interface Line {
  /** The call is about to be sent; returns whether the connection has served another. */
  begins(): boolean;
  /** The answer has ended; calls `finish` once all bytes that came with the end have been parsed. */
  ends(reception: Reception): void;
}

/** Status and headers of an answer. */
export interface ReceivedHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum bytes taken from the connection before they are read. */
const fullBytes = 64 * 1024;

/**
 * Receives one answer from undici: its head, then its bytes as they come, those of one read of the connection
 * together. A stream of Node in between would cost more than all the rest of a short answer.
 */
export class Reception implements Dispatcher.DispatchHandler, AsyncIterable<Buffer>, AsyncIterator<Buffer> {
  /** The call has a connection, so its request may have been sent. */
  isSent = false;
  /** The connection served an earlier call, so it may have died since. */
  isReused = false;
  /** A byte of the answer has arrived. */
  hasBegun = false;
  /** Bytes arrived after the end of the answer, so its true end is unknown. */
  hasExcess = false;
  /** Set by the client that sends the call. */
  line: Line | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Waiting<ReceivedHead> | null = null;
  readonly #readers: Waiting<IteratorResult<Buffer, null>>[] = [];
  #pieces: Buffer[] = [];
  #length = 0;
  #isEnded = false;
  #error: Error | null = null;
  #isWaking = false;

  /** Sends the request; rejects with the error that prevented the head of its answer. */
  head(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<ReceivedHead> {
    return new Promise((resolve, reject) => {
      this.#head = { resolve, reject };
      dispatcher.dispatch(options, this);
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** All bytes have been read. */
  get isRead(): boolean {
    return this.#isEnded && this.#length === 0 && this.#error === null;
  }

  /** The first unread bytes, or null; they stay unread. */
  peek(): Buffer | null {
    return this.#pieces[0] ?? null;
  }

  /** The unread bytes, or null. */
  take(): Buffer | null {
    const [first] = this.#pieces;
    if (first === undefined) return null;
    const bytes = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    this.#controller?.resume();
    return bytes;
  }

  /** The next bytes, as soon as there are any. Rejects with what cut the answer off. */
  next(): Promise<IteratorResult<Buffer, null>> {
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      this.#serve();
    });
  }

  /** Ends the call and its connection; does nothing when the answer has ended. */
  cancel(): void {
    if (this.#isEnded) return;
    const reason = new Error('the call was given up');
    this.#fail(reason);
    this.#controller?.abort(reason);
  }

  /** The answer has ended, and the bytes that came with the end have been parsed. */
  finish(): void {
    this.#isEnded = true;
    this.#serve();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#error !== null) {
      controller.abort(this.#error);
      return;
    }
    this.isSent = true;
    this.isReused = this.line?.begins() ?? false;
    this.#controller = controller;
  }

  onResponseStarted(): void {
    this.hasBegun = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReceivedHead['headers'],
  ): void {
    // An interim answer.
    if (status < 200) return;
    this.#head?.resolve({ status, headers });
    this.#head = null;
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#error !== null) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length >= fullBytes) controller.pause();
    if (this.#readers.length === 0 || this.#isWaking) return;
    // All bytes of the same read of the connection go to the same reader.
    this.#isWaking = true;
    queueMicrotask(() => {
      this.#isWaking = false;
      this.#serve();
    });
  }

  onResponseEnd(): void {
    if (this.line === null) this.finish();
    else this.line.ends(this);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(error);
  }

  /** Unread bytes are lost. */
  #fail(error: Error): void {
    if (this.#error !== null || this.#isEnded) return;
    this.#error = error;
    this.#pieces = [];
    this.#length = 0;
    this.#head?.reject(error);
    this.#head = null;
    this.#serve();
  }

  #serve(): void {
    while (this.#readers.length > 0) {
      const bytes = this.take();
      if (bytes === null && this.#error === null && !this.#isEnded) return;
      const reader = this.#readers.shift();
      if (bytes !== null) reader?.resolve({ done: false, value: bytes });
      else if (this.#error !== null) reader?.reject(this.#error);
      else reader?.resolve({ done: true, value: null });
    }
  }
}
