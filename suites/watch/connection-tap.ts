import type { Exchange } from '../wire/exchange.ts';
import { type BodyForm, declaredForm, type Head, MessageFramer } from './message-framer.ts';
import type { Room } from './room.ts';

/** An exchange that passed. */
export interface Passing {
  /** Its body is as it was sent, in its coding. */
  readonly exchange: Exchange;
  /** Counts requests and ends of answers over all connections: they show what was over before something else began. */
  readonly began: number;
  readonly ended: number;
}

/** Why an exchange passed without being judged. */
export type Unjudged = 'not HTTP/1.1 that can be followed' | 'the client left' | 'too large' | 'no room';

export interface TapParts {
  /** The address of the deployment, before the path. */
  readonly origin: string;
  readonly room: Room;
  /** Counts on. */
  readonly tick: () => number;
  readonly onPassing: (passing: Passing) => void;
  readonly onUnjudged: (why: Unjudged) => void;
}

/** A request whose answer has not ended. */
interface Open {
  readonly method: string;
  readonly url: string;
  readonly headers: Head['headers'];
  readonly sentAt: number;
  readonly startMs: number;
  readonly began: number;
  readonly requestBody: Buffer[];
  readonly responseBody: Buffer[];
  /** Bytes of both bodies that are kept. */
  kept: number;
  /** Why it cannot be judged. */
  fault: Unjudged | null;
  response: {
    readonly status: number;
    readonly headers: Head['headers'];
    readonly firstByteMs: number;
  } | null;
}

/** Reads along on one connection, and puts each answer to its request. */
export class ConnectionTap {
  readonly #parts: TapParts;
  readonly #open: Open[] = [];
  #sending: Open | null = null;
  #isLost = false;
  readonly #requests: MessageFramer;
  readonly #responses: MessageFramer;

  constructor(parts: TapParts) {
    this.#parts = parts;
    this.#requests = new MessageFramer({
      head: (head) => this.#requestHead(head),
      body: (bytes) => this.#keep(this.#sending, 'requestBody', bytes),
      end: () => undefined,
    });
    this.#responses = new MessageFramer({
      head: (head) => this.#responseHead(head),
      body: (bytes) => this.#keep(this.#open[0], 'responseBody', bytes),
      end: () => this.#responseEnd(true),
    });
  }

  /** Reads a part of what the client sends; says how many bytes it took, and whether they are of a head. */
  request(bytes: Buffer): { readonly taken: number; readonly isHead: boolean } {
    if (this.#isLost) return { taken: bytes.length, isHead: false };
    const part = this.#requests.feedPart(bytes);
    if (this.#requests.isLost) this.#lose();
    return part;
  }

  response(bytes: Buffer): void {
    if (this.#isLost) return;
    this.#responses.feed(bytes);
    if (this.#responses.isLost) this.#lose();
  }

  /** The deployment has closed: an answer that has begun and not ended is cut short. */
  deploymentClosed(): void {
    if (this.#isLost) return;
    this.#responses.close();
    while (this.#open.length > 0) this.#responseEnd(false);
    this.#isLost = true;
  }

  /** The client has closed: what is open was given up by it, and shows nothing. */
  clientClosed(): void {
    for (const one of this.#open.splice(0)) this.#giveUp(one, 'the client left');
    this.#isLost = true;
  }

  #requestHead(head: Head): BodyForm | null {
    const [, method, target] = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]$/.exec(head.startLine) ?? [];
    const form = declaredForm(head);
    if (method === undefined || target === undefined || form === null || method === 'CONNECT') return null;
    const url = target.startsWith('/') ? this.#parts.origin + target : target;
    this.#sending = {
      ...{ method, url, headers: head.headers, sentAt: Date.now(), startMs: performance.now() },
      ...{
        began: this.#parts.tick(),
        requestBody: [],
        responseBody: [],
        kept: 0,
        fault: null,
        response: null,
      },
    };
    this.#open.push(this.#sending);
    return form;
  }

  #responseHead(head: Head): BodyForm | null {
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(head.startLine)?.[1] ?? Number.NaN);
    const [open] = this.#open;
    if (Number.isNaN(status) || open === undefined || status === 101) return null;
    // Interim answers have no body, and are not the answer.
    if (status < 200) return { kind: 'none' };
    open.response = { status, headers: head.headers, firstByteMs: performance.now() - open.startMs };
    if (open.method === 'HEAD' || status === 204 || status === 304) return { kind: 'none' };
    const form = declaredForm(head);
    return form?.kind === 'none' ? { kind: 'until-close' } : form;
  }

  #responseEnd(complete: boolean): void {
    const [open] = this.#open;
    if (open === undefined || (complete && open.response === null)) return;
    this.#open.shift();
    if (open.fault !== null) {
      this.#giveUp(open, open.fault);
      return;
    }
    const endMs = performance.now() - open.startMs;
    const exchange: Exchange = {
      label: 'passing',
      request: { ...open, body: Buffer.concat(open.requestBody) },
      response:
        open.response === null
          ? null
          : { ...open.response, endMs, complete, body: Buffer.concat(open.responseBody) },
      error: complete ? null : 'the connection was closed',
      ...{ sentAt: open.sentAt, endedAt: Date.now() },
    };
    this.#parts.room.leave(open.kept);
    this.#parts.onPassing({ exchange, began: open.began, ended: this.#parts.tick() });
  }

  #keep(open: Open | null | undefined, where: 'requestBody' | 'responseBody', bytes: Buffer): void {
    if (open === null || open === undefined || open.fault !== null) return;
    const refused = this.#parts.room.enter(open.kept, bytes.length);
    if (refused === null) {
      open.kept += bytes.length;
      // A piece may be a small part of a large buffer, which it would keep alive.
      open[where].push(Buffer.from(bytes));
      return;
    }
    open.fault = refused;
    open.requestBody.splice(0);
    open.responseBody.splice(0);
  }

  #giveUp(open: Open, why: Unjudged): void {
    this.#parts.room.leave(open.kept);
    open.kept = 0;
    this.#parts.onUnjudged(why);
  }

  #lose(): void {
    this.#isLost = true;
    if (this.#open.length === 0) this.#parts.onUnjudged('not HTTP/1.1 that can be followed');
    for (const one of this.#open.splice(0)) this.#giveUp(one, 'not HTTP/1.1 that can be followed');
  }
}
