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

/** The JSON object in a body, or null. */
export function objectIn(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
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
