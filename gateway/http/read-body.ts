import type { IncomingMessage } from 'node:http';
import { GatewayError, invalidParam } from '../errors/gateway-error.ts';
import { type BodyShare, noRoom } from './body-budget.ts';
import type { Exchange } from './exchange.ts';

/** The client disconnected before its request was complete; no answer can reach it. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

/**
 * Reads the whole body, once the body budget has room for it. Rejects a body that exceeds the limit (by its declared length
 * before a byte is read), arrives too late or is broken. Rejects any encoding other than identity.
 */
export async function readBody(exchange: Exchange, maxBytes = exchange.limits.body_bytes): Promise<Buffer> {
  const { incoming, outgoing } = exchange;
  if (exchange.gone.aborted) throw new ClientDisconnected();
  checkEntityHeaders(incoming);
  const { 'content-length': length } = incoming.headers;
  const told = length === undefined ? null : Number(length);
  if ((told ?? 0) > maxBytes) {
    throw new GatewayError('payload_too_large');
  }
  const share = await exchange.bodies.share(exchange.facts.user ?? '', told, exchange.gone);
  exchange.whenOver(share.release);
  if (exchange.gone.aborted) throw new ClientDisconnected();
  const arrived = wholeBody(incoming, told);
  if (arrived !== null) return arrived;
  if (exchange.connection.fault !== null && !incoming.complete) throw exchange.connection.fault;
  if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  return collect(exchange, share, new Pieces(told ?? 0), maxBytes);
}

/**
 * Returns the body if it arrived completely with the head, without a wait or a deadline; null otherwise. The request is not
 * resumed: that would close the connection of a body that is still incomplete.
 */
function wholeBody(incoming: IncomingMessage, told: number | null): Buffer | null {
  if (incoming.readableLength === 0 || incoming.readableLength !== told) return null;
  const bytes: unknown = incoming.read();
  return Buffer.isBuffer(bytes) ? bytes : null;
}

/**
 * For a body with a larger declared length, memory is reserved from the start. Joining it at the end would block the event
 * loop.
 */
const largeBytes = 64 * 1024;

/** Collects the chunks of a body, in one buffer if its length is known. */
class Pieces {
  readonly #whole: Buffer | null;
  readonly #chunks: Buffer[] = [];
  length = 0;

  constructor(told: number) {
    this.#whole = told > largeBytes ? Buffer.allocUnsafeSlow(told) : null;
  }

  add(chunk: Buffer): void {
    if (this.#whole === null) this.#chunks.push(chunk);
    else chunk.copy(this.#whole, this.length);
    this.length += chunk.length;
  }

  whole(): Buffer {
    if (this.#whole !== null) return this.#whole.subarray(0, this.length);
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined
      ? first
      : Buffer.concat(this.#chunks, this.length);
  }
}

function collect(exchange: Exchange, share: BodyShare, pieces: Pieces, maxBytes: number): Promise<Buffer> {
  const { incoming, connection, gone, line, limits } = exchange;
  return new Promise((resolve, reject) => {
    const late = line.schedule(limits.body_timeout_ms, () => fail(new GatewayError('request_timeout')));
    const stop = (): void => {
      late.cancel();
      incoming.off('data', take).off('end', finish).off('close', leave);
      connection.onFault.delete(broken);
      gone.removeEventListener('abort', leave);
    };
    const take = (chunk: Buffer): void => {
      const length = pieces.length + chunk.length;
      if (length > maxBytes) fail(new GatewayError('payload_too_large'));
      else if (!share.grow(length)) fail(noRoom());
      else pieces.add(chunk);
    };
    const finish = (): void => {
      stop();
      resolve(pieces.whole());
    };
    const fail = (error: Error): void => {
      stop();
      incoming.pause();
      reject(error);
    };
    const broken = (fault: GatewayError): boolean => {
      // Broken bytes after a complete body are not part of this request.
      if (incoming.complete) return false;
      fail(fault);
      return true;
    };
    const leave = (): void => fail(new ClientDisconnected());
    connection.onFault.add(broken);
    incoming.on('data', take).on('end', finish).on('close', leave);
    gone.addEventListener('abort', leave, { once: true });
  });
}

function checkEntityHeaders({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw invalidParam(null, 'The body must be sent without Content-Encoding.');
  }
  // Node only decodes the last coding. Any other coding would stay in the body, and a proxy might read it differently.
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') {
    throw invalidParam(null, 'The body must be sent with no other Transfer-Encoding than chunked.');
  }
  const type = headers['content-type'];
  if (type !== undefined && !/^\s*application\/(?:json|[a-z0-9.-]+\+json)\s*(?:;|$)/i.test(type)) {
    throw invalidParam(null, 'The Content-Type of the body must be application/json.');
  }
}
