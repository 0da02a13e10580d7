/** The head of an HTTP/1 message: its start line, and its fields in order with names in the case of the sender. */
export interface Head {
  readonly startLine: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** How the length of a body is determined. */
export type BodyForm =
  | { readonly kind: 'none' | 'chunked' | 'until-close' }
  | { readonly kind: 'length'; readonly bytes: number };

/** The reports of a framer, in the order of the bytes. */
export interface FramerEvents {
  /** Returns null when the bytes that follow are not HTTP/1. */
  head(head: Head): BodyForm | null;
  /** A piece of the body, without chunk sizes. */
  body(bytes: Buffer): void;
  end(): void;
}

/** The longest head that is followed, bytes. */
const longestHead = 256 * 1024;
const longestLine = 16 * 1024;
const crlf = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

type State = 'head' | 'length' | 'until-close' | 'size' | 'data' | 'data-end' | 'trailer' | 'lost';

/**
 * Follows the HTTP/1 messages in the bytes of one direction of a connection. It changes nothing and judges nothing. It stops
 * following at bytes that it does not understand.
 */
export class MessageFramer {
  readonly #events: FramerEvents;
  #state: State = 'head';
  #rest: Buffer = nothing;
  #left = 0;

  constructor(events: FramerEvents) {
    this.#events = events;
  }

  /** Whether it has stopped following. */
  get isLost(): boolean {
    return this.#state === 'lost';
  }

  /** Whether it is between two messages. */
  get isIdle(): boolean {
    return this.#state === 'head' && this.#rest.length === 0;
  }

  feed(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(this.feedPart(rest).taken);
  }

  /** Takes bytes at most up to the end of a head or message; returns how many, and whether they belong to a head. */
  feedPart(bytes: Buffer): { readonly taken: number; readonly isHead: boolean } {
    if (this.#state === 'lost') return { taken: bytes.length, isHead: false };
    const before = this.#rest.length;
    this.#rest = before === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.#state === 'head') {
      const all = this.#rest.length;
      const end = this.#headEnd();
      if (end === null) return { taken: bytes.length, isHead: true };
      this.#rest = this.#rest.subarray(0, end);
      this.#head();
      return { taken: end - before, isHead: all > 0 };
    }
    while (!this.#isBetween() && this.#step());
    const left = this.#isBetween() ? this.#rest.length : 0;
    if (left > 0) this.#rest = nothing;
    return { taken: bytes.length - left, isHead: false };
  }

  /** Where the current head ends; null when it is incomplete. */
  #headEnd(): number | null {
    let start = 0;
    // Line ends before a message are allowed, and have no meaning.
    while (this.#rest.subarray(start, start + 2).equals(crlf)) start += 2;
    const end = this.#rest.indexOf(headEnd, start);
    if (end >= 0) return end + headEnd.length;
    if (this.#rest.length > longestHead) this.#lose();
    return null;
  }

  #isBetween(): boolean {
    return this.#state === 'head' || this.#state === 'lost';
  }

  /** The peer has ended its half: that ends a body without a length. Returns whether no message is left open. */
  close(): boolean {
    if (this.#state === 'until-close') this.#end();
    return this.isIdle;
  }

  /** Takes the available bytes of the current part. Returns whether there may be more to take. */
  #step(): boolean {
    switch (this.#state) {
      case 'until-close':
        this.#pass(this.#rest.length);
        return false;
      case 'length':
      case 'data':
        return this.#counted();
      case 'size':
        return this.#size();
      case 'data-end':
        return this.#dataEnd();
      case 'trailer':
        return this.#trailer();
      default:
        return false;
    }
  }

  #head(): void {
    const text = this.#rest.toString('latin1', 0, this.#rest.length - headEnd.length);
    this.#rest = nothing;
    const head = readHead(text.replace(/^(?:\r\n)+/, ''));
    const form = head === null ? null : this.#events.head(head);
    if (form === null) {
      this.#lose();
      return;
    }
    if (form.kind === 'none' || (form.kind === 'length' && form.bytes === 0)) {
      this.#events.end();
      return;
    }
    if (form.kind === 'length') this.#left = form.bytes;
    this.#state = form.kind === 'chunked' ? 'size' : form.kind;
  }

  #counted(): boolean {
    const taken = Math.min(this.#left, this.#rest.length);
    this.#left -= taken;
    this.#pass(taken);
    if (this.#left > 0) return false;
    if (this.#state === 'data') this.#state = 'data-end';
    else this.#end();
    return true;
  }

  #size(): boolean {
    const line = this.#line();
    if (line === null) return false;
    const digits = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
    if (digits === undefined) return this.#lose();
    this.#left = Number.parseInt(digits, 16);
    this.#state = this.#left === 0 ? 'trailer' : 'data';
    return true;
  }

  #dataEnd(): boolean {
    if (this.#rest.length < 2) return false;
    if (!this.#rest.subarray(0, 2).equals(crlf)) return this.#lose();
    this.#rest = this.#rest.subarray(2);
    this.#state = 'size';
    return true;
  }

  #trailer(): boolean {
    const line = this.#line();
    if (line === null) return false;
    if (line === '') this.#end();
    return true;
  }

  #line(): string | null {
    const end = this.#rest.indexOf(crlf);
    if (end < 0) {
      if (this.#rest.length > longestLine) this.#lose();
      return null;
    }
    const line = this.#rest.subarray(0, end).toString('latin1');
    this.#rest = this.#rest.subarray(end + 2);
    return line;
  }

  #pass(count: number): void {
    if (count > 0) this.#events.body(this.#rest.subarray(0, count));
    this.#rest = this.#rest.subarray(count);
  }

  #end(): void {
    this.#state = 'head';
    this.#events.end();
  }

  #lose(): false {
    this.#state = 'lost';
    this.#rest = nothing;
    return false;
  }
}

function readHead(text: string): Head | null {
  const [startLine = '', ...lines] = text.split('\r\n');
  const headers = lines.map((line) => /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line));
  if (startLine === '' || headers.includes(null)) return null;
  return { startLine, headers: headers.map((match) => [match?.[1] ?? '', match?.[2] ?? ''] as const) };
}

/** The value of a field; undefined when it is not there. */
export function fieldOf({ headers }: Head, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The form of the body by its own fields; null when they contradict each other. */
export function declaredForm(head: Head): BodyForm | null {
  const [coding, length] = [fieldOf(head, 'transfer-encoding'), fieldOf(head, 'content-length')];
  if (coding !== undefined)
    return coding.toLowerCase() === 'chunked' && length === undefined ? { kind: 'chunked' } : null;
  if (length === undefined) return { kind: 'none' };
  return /^\d{1,15}$/.test(length) ? { kind: 'length', bytes: Number(length) } : null;
}
