import { exactIn, objectIn } from './json.ts';

/** A request on its way through a mutation. Header names keep the case of the sender. */
export interface ProxyRequest {
  readonly method: string;
  /** Path and query as they arrived, without the proxy's own prefix. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * A whole answer on its way back. The proxy sets its length anew, or leaves it out for `transfer-encoding:
 * chunked`.
 */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * What a proxy changes: one defect, or one harmless difference.
 * Without a member, that part passes unchanged. Streams pass unbuffered unless `withhold` is set.
 */
export interface Mutation {
  /** Changes the request, or answers it without passing it on. */
  readonly request?: (request: ProxyRequest) => ProxyRequest | ProxyAnswer;
  /** Changes a whole answer that is not an event stream. */
  readonly answer?: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer;
  /**
   * Changes an event stream, event by event. It is called once for each stream. The returned function gets the text of each
   * event without the blank line, and null at the end.
   */
  readonly events?: (request: ProxyRequest) => (event: string | null) => readonly string[];
  /**
   * Joins two events of a stream that arrived close together (see `wire.gatherMs`); null keeps them apart. It
   * runs before `events`.
   */
  readonly join?: (first: string, second: string) => string | null;
  /** Changes the status line and headers of an event stream. */
  readonly streamHead?: (answer: Omit<ProxyAnswer, 'body'>) => Omit<ProxyAnswer, 'body'>;
  /** Withholds a stream until it has ended. */
  readonly withhold?: boolean;
  /** Delays the head of every answer by this time, ms of real time. */
  readonly delayMs?: number;
  /** Delays a whole answer by the returned time, ms of real time. */
  readonly delayAnswer?: (answer: ProxyAnswer) => number;
  readonly wire?: WireForm;
  /**
   * Handles an event that the gateway sends to a receiver: passes it on, changes it, sends it twice, or drops
   * it.
   */
  readonly deliver?: (event: ProxyRequest, eventRoute: DeliveryRoute) => Promise<ProxyAnswer>;
  /** Called with each request and its answer (null for a stream), to send its own events. Nothing waits for it. */
  readonly announces?: (
    request: ProxyRequest,
    answer: ProxyAnswer | null,
    eventRoute: EventRoute,
  ) => Promise<void>;
  /** Changes the callbacks of an upstream about its jobs, and the answers to them. */
  readonly report?: Pick<Mutation, 'request' | 'answer'>;
  /** Changes the answers of the receiver that the deployment provides for its callers. */
  readonly kit?: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer;
}

/** How a mutation delivers events to the receiver of the suites. */
export interface EventRoute {
  /** Sends an event on and resolves with its answer. `origin` replaces the origin of the receiver. */
  readonly forward: (event: ProxyRequest, origin?: string) => Promise<ProxyAnswer>;
  /**
   * Signs the event in its current form. `claims` replace its id and its time. The secret is that of the account whose key
   * sent the request.
   */
  readonly sign: (event: ProxyRequest, claims?: EventClaims) => ProxyRequest;
  /** Whether the secret of that account is known. */
  readonly knowsSecret: boolean;
  /** Signs another text than the scheme prescribes, with the same secret. */
  readonly signText: (event: ProxyRequest, text: Buffer) => ProxyRequest;
  /** The origin of the receiver's plain HTTP listener. */
  readonly plainOrigin: string;
  /** The path at the receiver in a webhook_url; null for another host. */
  readonly pathOf: (webhookUrl: unknown) => string | null;
}

/** The same for an event that the gateway itself sent. */
export interface DeliveryRoute extends EventRoute {
  /** How often the event has arrived so far, counted from 1. */
  readonly attempt: number;
}

export interface EventClaims {
  readonly id?: string;
  /** Unix seconds. */
  readonly seconds?: number;
}

/** Changes the wire form of answers but not their content. */
export interface WireForm {
  /** Replaces the line ends of a stream. */
  readonly lineEnd?: '\r\n';
  /** The number of bytes in each write of a stream. */
  readonly bytesPerWrite?: number;
  /** Compresses answers for clients that accept it. `unflushed` holds back part of a stream until more follows. */
  readonly gzip?: boolean | 'unflushed';
  /** Sends a comment in a stream after each silence of this length, ms of real time. */
  readonly heartbeatMs?: number;
  /** Joins events of a stream that follow each other within this time, ms of real time. */
  readonly gatherMs?: number;
}

export function isAnswer(value: ProxyRequest | ProxyAnswer): value is ProxyAnswer {
  return 'status' in value;
}

/** Changes the JSON object of a request body. Any other body passes unchanged. */
export function editRequest(
  edit: (body: Record<string, unknown>) => void,
): (request: ProxyRequest) => ProxyRequest {
  return (request) => {
    const body = objectIn(request.body);
    if (body === null) return request;
    edit(body);
    return { ...request, body: Buffer.from(JSON.stringify(body)) };
  };
}

/** Changes the JSON object of an answer. Any other answer passes unchanged. */
export function editAnswer(
  edit: (body: Record<string, unknown>, answer: ProxyAnswer, request: ProxyRequest) => void,
): (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer {
  return (answer, request) => {
    const body = exactIn(answer.body);
    if (body === null) return answer;
    edit(body, answer, request);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  };
}

/** Changes the JSON chunk of each event of a stream. Other events (`[DONE]`) pass unchanged. */
export function editChunks(
  edit: (chunk: Record<string, unknown>, index: number) => Record<string, unknown>[],
): () => (event: string | null) => readonly string[] {
  return () => {
    let index = -1;
    return (event) => {
      if (event === null) return [];
      const chunk = event.startsWith('data: ') ? exactIn(Buffer.from(event.slice(6))) : null;
      if (chunk === null) return [event];
      index += 1;
      return edit(chunk, index).map((changed) => `data: ${JSON.stringify(changed)}`);
    };
  };
}

/** A whole answer in JSON. */
export function jsonAnswer(status: number, body: unknown): ProxyAnswer {
  return { status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify(body)) };
}
