import { objectIn } from './json.ts';

/** A request on its way through a mutation. Header names as they were sent. */
export interface ProxyRequest {
  readonly method: string;
  /** Path and query as they arrived, without the prefix of the proxy. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** A whole answer on its way back. Its length is set anew by the proxy, or left out when it says `transfer-encoding: chunked`. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * What a proxy changes on the way: one defect, or one harmless difference. What is left out passes untouched, and
 * streams pass unbuffered unless `withhold` is there.
 */
export interface Mutation {
  /** Changes the request, or answers it without passing it on. */
  readonly request?: (request: ProxyRequest) => ProxyRequest | ProxyAnswer;
  /** Changes a whole answer that is no event stream. */
  readonly answer?: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer;
  /** Changes an event stream, event by event: called once a stream, then with each event (its text without the blank line), then with null at the end. */
  readonly events?: (request: ProxyRequest) => (event: string | null) => readonly string[];
  /** Joins two events of a stream that arrived close together (see `wire.gatherMs`); null keeps them apart. Sees them before `events` does. */
  readonly join?: (first: string, second: string) => string | null;
  /** Changes the head of an event stream. */
  readonly streamHead?: (answer: Omit<ProxyAnswer, 'body'>) => Omit<ProxyAnswer, 'body'>;
  /** Keeps a stream back until it has ended. */
  readonly withhold?: boolean;
  /** Keeps every answer back for so long before its head goes out, ms of real time. */
  readonly delayMs?: number;
  readonly wire?: WireForm;
  /** Takes an event that the gateway sends to a receiver, and answers it: passed on, changed, twice, or not at all. */
  readonly deliver?: (event: ProxyRequest, eventRoute: DeliveryRoute) => Promise<ProxyAnswer>;
  /**
   * Told of each request and the answer that it is about to get, null where that is a stream: what sends events of its own.
   * Nobody waits for it.
   */
  readonly announces?: (
    request: ProxyRequest,
    answer: ProxyAnswer | null,
    eventRoute: EventRoute,
  ) => Promise<void>;
  /** Changes what an upstream reports of its jobs without being asked, and what it is answered. */
  readonly report?: Pick<Mutation, 'request' | 'answer'>;
  /** Changes what the receiver answers that the deployment ships for its callers. */
  readonly kit?: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer;
}

/** The way of events to the receiver of the suites. */
export interface EventRoute {
  /** Sends an event on, to another origin than that of the receiver where one is named, and resolves with its answer. */
  readonly forward: (event: ProxyRequest, origin?: string) => Promise<ProxyAnswer>;
  /**
   * The event with the id and the time claimed, its own ones where none is, and a signature over what it now is, by the
   * secret of the account whose key sent the request.
   */
  readonly sign: (event: ProxyRequest, claims?: EventClaims) => ProxyRequest;
  /** Whether the secret of that account is known. */
  readonly knowsSecret: boolean;
  /** The event with a signature by the same secret over another text than the scheme has. */
  readonly signText: (event: ProxyRequest, text: Buffer) => ProxyRequest;
  /** Where the receiver listens for plain HTTP. */
  readonly plainOrigin: string;
  /** The path at the receiver that a webhook_url names; null when it is none of the receiver's. */
  readonly pathOf: (webhookUrl: unknown) => string | null;
}

/** The same for an event that the gateway itself has sent. */
export interface DeliveryRoute extends EventRoute {
  /** How many times it has come by now, from 1. */
  readonly attempt: number;
}

export interface EventClaims {
  readonly id?: string;
  /** Unix seconds. */
  readonly seconds?: number;
}

/** The wire form of answers, not their content. */
export interface WireForm {
  /** Ends the lines of a stream otherwise. */
  readonly lineEnd?: '\r\n';
  /** Splits the bytes of a stream. */
  readonly bytesPerWrite?: number;
  /** Compresses answers for a client that accepts it; `unflushed` does so without care for what a stream has said so far. */
  readonly gzip?: boolean | 'unflushed';
  /** Comments in a stream, one for so long a silence, ms of real time. */
  readonly heartbeatMs?: number;
  /** Events of a stream that follow each other within so long are sent together, ms of real time. */
  readonly gatherMs?: number;
}

export function isAnswer(value: ProxyRequest | ProxyAnswer): value is ProxyAnswer {
  return 'status' in value;
}

/** Changes the JSON object of a request body; a body that is none passes as it is. */
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

/** Changes the JSON object of an answer; an answer that is none passes as it is. */
export function editAnswer(
  edit: (body: Record<string, unknown>, answer: ProxyAnswer, request: ProxyRequest) => void,
): (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer {
  return (answer, request) => {
    const body = objectIn(answer.body);
    if (body === null) return answer;
    edit(body, answer, request);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  };
}

/** Changes the JSON chunk of each event of a stream; other events (`[DONE]`) pass as they are. */
export function editChunks(
  edit: (chunk: Record<string, unknown>, index: number) => Record<string, unknown>[],
): () => (event: string | null) => readonly string[] {
  return () => {
    let index = -1;
    return (event) => {
      if (event === null) return [];
      const chunk = event.startsWith('data: ') ? objectIn(Buffer.from(event.slice(6))) : null;
      if (chunk === null) return [event];
      index += 1;
      return edit(chunk, index).map((changed) => `data: ${JSON.stringify(changed)}`);
    };
  };
}

/** A whole answer of JSON. */
export function jsonAnswer(status: number, body: unknown): ProxyAnswer {
  return { status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify(body)) };
}
