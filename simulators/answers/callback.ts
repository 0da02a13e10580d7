import { createHmac } from 'node:crypto';

/** One callback that an upstream sends about a job: its content, its time and its signature. */
export interface Callback {
  /** The `callback-id`, the same on every attempt. */
  readonly id: string;
  /** Its `callbackType`, as the job's record shows it. */
  readonly kind: string;
  /** The pieces of the body, sent in order. A huge body repeats one piece, which saves memory. */
  readonly body: readonly Buffer[];
  readonly contentType: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `chunked`: sent without a content length. `cut`: the connection breaks after the first piece. */
  readonly sent?: 'chunked' | 'cut';
  /** It is sent after this event, plus a delay on the simulators' clock. Default: nothing to wait for. */
  readonly until?: Promise<unknown>;
  readonly afterMs?: number;
  /** A fixed `callback-timestamp`. Without it, each attempt uses its own second. */
  readonly timestamp?: string;
  /** Makes signature headers that replace the correct ones. */
  readonly forge?: (honest: SignatureHeaders, sign: Sign) => Readonly<Record<string, string>>;
  /** The maximum number of attempts while none is accepted. Default 3. */
  readonly maxTries?: number;
  /** Called when the first attempt has ended, with any outcome. */
  readonly onTried?: () => void;
  /** The form of the fault that changed it. */
  readonly faultForm?: string;
}

/** The headers that prove the sender and the time of a callback. */
export interface SignatureHeaders {
  readonly 'callback-id': string;
  readonly 'callback-timestamp': string;
  readonly 'callback-signature': string;
}

/** What a signature covers. */
export interface SignedContent {
  readonly id: string;
  readonly timestamp: string;
  readonly body: readonly Buffer[];
}

/** Signs for an upstream. The default key is the one that submitted the job. */
export type Sign = (sealed: SignedContent, key?: string) => string;

/** Returns a signer that never exposes its key. */
export function signerWith(submitKey: string): Sign {
  return ({ id, timestamp, body }, key = submitKey) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`);
    for (const piece of body) hmac.update(piece);
    return `v1=${hmac.digest('hex')}`;
  };
}

/** All headers of one attempt. */
export function headersOf(callback: Callback, nowMs: number, sign: Sign): Record<string, string> {
  const { id, body, contentType, sent, forge } = callback;
  const timestamp = callback.timestamp ?? String(Math.floor(nowMs / 1000));
  const honest: SignatureHeaders = {
    'callback-id': id,
    'callback-timestamp': timestamp,
    'callback-signature': sign({ id, timestamp, body }),
  };
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  return {
    'content-type': contentType,
    ...(sent === 'chunked' ? {} : { 'content-length': String(length) }),
    ...callback.headers,
    ...(forge === undefined ? honest : forge(honest, sign)),
  };
}

/** The body as it is sent. */
export function* sendingOf({ body, sent }: Callback): Iterable<Buffer> {
  for (const piece of body) {
    yield piece;
    if (sent === 'cut') throw new Error('the connection breaks here');
  }
}
