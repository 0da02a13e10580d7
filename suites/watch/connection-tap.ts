import type { Exchange } from '../wire/exchange.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { type BodyForm, declaredForm, type Head, MessageFramer } from './message-framer.ts';

/** An exchange that passed through the watch. */
export interface Passing {
  /** Its bodies as sent, still encoded. */
  readonly exchange: Exchange;
  /**
   * Counters over all connections for the begin of requests and the end of answers. They show which exchange was over before
   * another began.
   */
  readonly began: number;
  readonly ended: number;
  /** Called once it has been judged or left out. Until then its bytes count against the memory budget. */
  readonly release?: () => void;
}

/** Why an exchange passed without being judged. */
export type Unjudged =
  | 'not HTTP/1.1 that can be followed'
  | 'the client left'
  | 'no connection to the deployment'
  | 'recorded without its body'
  | 'recorded without an answer, a time or an address'
  | 'from a cache'
  | 'too large'
  | 'no memory';

export interface TapParts {
  /** The URL of the deployment, before the path. */
  readonly origin: string;
  readonly memory: MemoryBudget;
  /** Returns the next counter value. */
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
  /** The number of bytes kept of both bodies. */
  kept: number;
  /** Why it cannot be judged. */
  fault: Unjudged | null;
  response: {
    readonly status: number;
    readonly headers: Head['headers'];
    readonly firstByteMs: number;
  } | null;
}

/** Reads the traffic of one connection, and matches each answer to its request. */
export class ConnectionTap {
  readonly #parts: TapParts;
  readonly #open: Open[] = [];
  #sending: Open | null = null;
  /** Whether answers can no longer be followed. */
  #isLost = false;
  /** Whether the client's bytes are no longer HTTP. */
  #isTunnel = false;
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

  /** Reads a part of the client's bytes; returns how many it took, and whether they belong to a head. */
  request(bytes: Buffer): { readonly taken: number; readonly isHead: boolean } {
    if (this.#isTunnel) return { taken: bytes.length, isHead: false };
    try {
      const part = this.#requests.feedPart(bytes);
      if (this.#requests.isLost) this.#lose();
      this.#isTunnel ||= this.#requests.isLost;
      return part;
    } catch {
      // Reading must never disturb the traffic.
      this.#isTunnel = true;
      this.end();
      return { taken: bytes.length, isHead: false };
    }
  }

  response(bytes: Buffer): void {
    if (this.#isLost) return;
    this.#responses.feed(bytes);
    if (this.#responses.isLost) this.#lose();
  }

  /** Called when the deployment has ended or broken its side. An incomplete answer is then cut short. */
  deploymentClosed(isBroken: boolean): void {
    if (this.#isLost) return;
    // The end of the connection ends a body without a length; a break does not.
    if (!isBroken) this.#responses.close();
    while (this.#open.length > 0) this.#responseEnd(false);
    this.#isLost = true;
  }

  /** Drops open exchanges without a verdict, because the client left, or the deployment is unreachable. */
  end(why: Unjudged = 'the client left'): void {
    for (const one of this.#open.splice(0)) this.#giveUp(one, why);
    this.#sending = null;
    this.#isLost = true;
  }

  #requestHead(head: Head): BodyForm | null {
    const [, method, target] = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]$/.exec(head.startLine) ?? [];
    const form = declaredForm(head);
    if (method === undefined || target === undefined || form === null || method === 'CONNECT') return null;
    // Its body must still be followed, because the `Host` of the next request is replaced too.
    if (this.#isLost) return form;
    this.#sending = {
      ...{ method, url: this.#urlOf(target), headers: head.headers },
      ...{ sentAt: Date.now(), startMs: performance.now() },
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

  #urlOf(target: string): string {
    const { origin } = this.#parts;
    if (target.startsWith('/')) return origin + target;
    return URL.canParse(target) ? target : `${origin}/${target}`;
  }

  #responseHead(head: Head): BodyForm | null {
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(head.startLine)?.[1] ?? Number.NaN);
    const [open] = this.#open;
    if (status === 101) this.#isTunnel = true;
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
    // An answer may come before the end of its request; the rest of the request is not kept.
    if (this.#sending === open) this.#sending = null;
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
    const release = (): void => this.#parts.memory.leave(open.kept);
    this.#parts.onPassing({ exchange, began: open.began, ended: this.#parts.tick(), release });
  }

  #keep(open: Open | null | undefined, where: 'requestBody' | 'responseBody', bytes: Buffer): void {
    if (open === null || open === undefined || open.fault !== null) return;
    const refused = this.#parts.memory.enter(open.kept, bytes.length);
    if (refused === null) {
      open.kept += bytes.length;
      // Copied, because a small piece would keep its whole buffer alive.
      open[where].push(Buffer.from(bytes));
      return;
    }
    open.fault = refused;
    open.requestBody.splice(0);
    open.responseBody.splice(0);
  }

  #giveUp(open: Open, why: Unjudged): void {
    this.#parts.memory.leave(open.kept);
    open.kept = 0;
    this.#parts.onUnjudged(why);
  }

  #lose(): void {
    if (this.#isLost) return;
    if (this.#open.length === 0) this.#parts.onUnjudged('not HTTP/1.1 that can be followed');
    this.end('not HTTP/1.1 that can be followed');
  }
}
