import { connect as connectPlain, createServer, isIP, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, TLSSocket } from 'node:tls';
import { ConnectionTap, type TapParts } from './connection-tap.ts';
import { HostField } from './host-field.ts';

export interface RelayOptions extends Omit<TapParts, 'origin' | 'tick'> {
  readonly upstream: URL;
  readonly host: string;
  /** Port 0 selects a free one. */
  readonly port: number;
  /** A certificate authority of the deployment besides those that the machine trusts, PEM. */
  readonly ca?: Buffer | undefined;
  /** The relay's own certificate and key, PEM; plain HTTP without them. */
  readonly tls?: { readonly cert: Buffer | string; readonly key: Buffer | string } | undefined;
  /** Called with the reason why a connection to the deployment failed. */
  readonly onUnreachable?: (why: string) => void;
}

export interface RunningRelay {
  readonly url: string;
  close(): Promise<void>;
}

/** After this silence the system checks whether a connection is still alive, ms. */
const keepAliveMs = 30_000;

/**
 * Starts a proxy that passes on every byte as it comes, and lets a tap read the traffic. Each client connection has its own
 * connection to the deployment. Only the `Host` field of requests changes.
 */
export async function startRelay(options: RelayOptions): Promise<RunningRelay> {
  let ticks = 0;
  const tick = (): number => {
    ticks += 1;
    return ticks;
  };
  const sockets = new Set<Socket>();
  const server = serverOf(options, (client) => {
    const deployment = connectTo(options);
    for (const socket of [client, deployment]) {
      sockets.add(socket);
      socket.setKeepAlive(true, keepAliveMs);
      socket.setNoDelay(true);
      socket.once('close', () => sockets.delete(socket));
    }
    const origin = options.upstream.href.replace(/\/+$/, '');
    const tap = new ConnectionTap({ ...options, origin, tick });
    join(client, deployment, tap, new HostField(options.upstream.host));
    noteFailure(deployment, tap, options);
  });
  const port = await listen(server, options);
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function serverOf({ tls }: RelayOptions, onClient: (client: Socket) => void): Server {
  const raw = { allowHalfOpen: true, noDelay: true, pauseOnConnect: true };
  if (tls === undefined) return createServer(raw, onClient);
  const server = createTlsServer({ ...raw, ...tls, ALPNProtocols: ['http/1.1'] }, onClient);
  // A client that rejects the certificate closes the connection, and nothing passes.
  return server.on('tlsClientError', (_, socket) => socket.destroy());
}

function connectTo({ upstream, ca }: RelayOptions): Socket {
  const { hostname, protocol, port } = upstream;
  const host = hostname.replaceAll(/[[\]]/g, '');
  if (protocol === 'http:')
    return connectPlain({ host, port: Number(port || 80), allowHalfOpen: true, noDelay: true });
  const name = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({
    host,
    port: Number(port || 443),
    ...name,
    ALPNProtocols: ['http/1.1'],
    ...(ca && { ca }),
  });
}

/** Reports why the deployment is unreachable, because the client only sees a closed connection. */
function noteFailure(
  deployment: Socket,
  tap: ConnectionTap,
  { onUnreachable }: Pick<RelayOptions, 'onUnreachable'>,
): void {
  let isThere = false;
  deployment.once(deployment instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
    isThere = true;
  });
  deployment.on('error', (error: NodeJS.ErrnoException) => {
    if (isThere) return;
    tap.end('no connection to the deployment');
    // The message is empty when several addresses fail in the same way.
    onUnreachable?.(error.message === '' ? String(error.code) : error.message);
  });
}

function listen(server: Server, { host, port }: RelayOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      // A connection that cannot be accepted, for example for lack of file descriptors, must not end existing ones.
      server.on('error', () => undefined);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Joins two sockets into one connection: bytes, back pressure, ends and breaks pass in both directions. */
function join(client: Socket, deployment: Socket, tap: ConnectionTap, host: HostField): void {
  const reading = (read: () => void): void => {
    // Reading must never disturb the traffic.
    try {
      read();
    } catch {
      tap.end();
    }
  };
  client.on('data', (bytes: Buffer) => {
    for (const part of withHost(bytes, tap, host)) send(deployment, client, part);
  });
  client.on('end', () => {
    const held = host.flush();
    if (held.length > 0) deployment.write(held);
    deployment.end();
  });
  deployment.on('data', (bytes: Buffer) => {
    send(client, deployment, bytes);
    reading(() => tap.response(bytes));
  });
  deployment.on('end', () => {
    reading(() => tap.deploymentClosed(false));
    client.end();
  });
  client.on('error', () => undefined);
  deployment.on('error', () => undefined);
  client.on('close', (isBroken) => {
    reading(() => tap.end());
    finish(deployment, isBroken);
  });
  deployment.on('close', (isBroken) => {
    reading(() => tap.deploymentClosed(isBroken));
    finish(client, isBroken);
  });
  client.resume();
}

function send(to: Socket, from: Socket, bytes: Buffer): void {
  if (bytes.length === 0 || to.destroyed || to.write(bytes)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

/** Breaks the other side if this side broke; an ended side has already ended the other. */
function finish(other: Socket, isBroken: boolean): void {
  if (other.destroyed) return;
  // A TLS socket cannot be reset. Ending without a close alert has the same meaning.
  if (isBroken && !other.connecting && !(other instanceof TLSSocket)) other.resetAndDestroy();
  else if (isBroken) other.destroy();
  else other.destroySoon();
}

function* withHost(bytes: Buffer, tap: ConnectionTap, host: HostField): Generator<Buffer> {
  for (let rest = bytes; rest.length > 0; ) {
    const { taken, isHead } = tap.request(rest);
    const part = rest.subarray(0, taken);
    yield isHead ? host.pass(part) : Buffer.concat([host.flush(), part]);
    rest = rest.subarray(taken);
  }
}
