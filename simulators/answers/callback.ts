import { createHmac } from 'node:crypto';

/** Something that is told of a job without being asked: what goes out, when, and under which seal. */
export interface Callback {
  /** Its `callback-id`, the same on every try. */
  readonly id: string;
  /** Its `callbackType`, for the job's own record of it. */
  readonly kind: string;
  /** One after the other. The same piece may stand here many times, so that a huge body needs no memory. */
  readonly body: readonly Buffer[];
  readonly contentType: string;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `chunked`: its length is not told before. `cut`: after its first piece the connection breaks. */
  readonly sent?: 'chunked' | 'cut';
  /** It waits for this, then for so long on the simulators' clock; for nothing when left out. */
  readonly until?: Promise<unknown>;
  readonly afterMs?: number;
  /** Its `callback-timestamp` in place of the second of each try. */
  readonly timestamp?: string;
  /** The headers that go with it in place of the honest ones. */
  readonly forge?: (honest: SignatureHeaders, sign: Sign) => Readonly<Record<string, string>>;
  /** How often it leaves where nobody takes it. Default 3. */
  readonly maxTries?: number;
  /** Called when its first try is over, whatever came of it. */
  readonly onTried?: () => void;
  /** What a fault made of it. */
  readonly faultForm?: string;
}

/** What proves who sent a callback, and when. */
export interface SignatureHeaders {
  readonly 'callback-id': string;
  readonly 'callback-timestamp': string;
  readonly 'callback-signature': string;
}

/** What a signature holds for. */
export interface SignedContent {
  readonly id: string;
  readonly timestamp: string;
  readonly body: readonly Buffer[];
}

/** The signature of an upstream, by the key that submitted the job unless another one is given. */
export type Sign = (sealed: SignedContent, key?: string) => string;

/** Signs with the key, which nobody gets at any more. */
export function signerWith(submitKey: string): Sign {
  return ({ id, timestamp, body }, key = submitKey) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`);
    for (const piece of body) hmac.update(piece);
    return `v1=${hmac.digest('hex')}`;
  };
}

/** All headers of one try. */
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

/** The body as it goes out. */
export function* sendingOf({ body, sent }: Callback): Iterable<Buffer> {
  for (const piece of body) {
    yield piece;
    if (sent === 'cut') throw new Error('the connection breaks here');
  }
}
