import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { DiagnosticsChannel } from 'undici';

/** A connection that rested less is not idle, and a close that comes later than this is none of an idle one, ms. */
const idleMs = 500;
const atOnceMs = 1_000;

/** A request on a connection that had served another one. */
interface Reuse {
  readonly socket: Socket;
  readonly bytesBefore: number;
  readonly restedMs: number;
  readonly sentAt: number;
}

const restsSince = new WeakMap<Socket, number>();
const carriers = new WeakMap<object, Socket>();
const reuses = new WeakMap<object, Reuse>();
const stale = new WeakSet<object>();

/**
 * Whether a call failed because the server closed an idle connection just as the call was sent on it. Any server may do
 * that, as HTTP says (RFC 9112, 9.5), so it tells nothing of the deployment. False once a byte of an answer came, on a
 * new connection, and on one in constant use.
 */
export function closedWhileIdle(error: unknown): boolean {
  return typeof error === 'object' && error !== null && stale.has(error);
}

subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  const since = restsSince.get(socket);
  const sentAt = performance.now();
  carriers.set(request, socket);
  if (since !== undefined)
    reuses.set(request, { socket, bytesBefore: socket.bytesRead, restedMs: sentAt - since, sentAt });
});
subscribe('undici:request:trailers', (message) => {
  const socket = carriers.get((message as DiagnosticsChannel.RequestTrailersMessage).request);
  if (socket !== undefined) restsSince.set(socket, performance.now());
});
subscribe('undici:request:error', (message) => {
  const { request, error } = message as DiagnosticsChannel.RequestErrorMessage;
  const { code } = error as NodeJS.ErrnoException;
  const reuse = reuses.get(request);
  if (reuse === undefined || !['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code ?? '')) return;
  const { socket, bytesBefore, restedMs, sentAt } = reuse;
  const isAtOnce = performance.now() - sentAt <= atOnceMs;
  if (socket.bytesRead === bytesBefore && restedMs >= idleMs && isAtOnce) stale.add(error);
});
