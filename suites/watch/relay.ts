import { connect as connectPlain, createServer, isIP, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, TLSSocket } from 'node:tls';
import { ConnectionTap, type TapParts } from './connection-tap.ts';
import { HostField } from './host-field.ts';

export interface RelayOptions extends Omit<TapParts, 'origin' | 'tick'> {
  readonly upstream: URL;
  readonly host: string;
  /** Port 0 takes a free one. */
  readonly port: number;
  /** A certificate authority of the deployment besides those that the machine trusts, PEM. */
  readonly ca?: Buffer | undefined;
  /** The certificate and the key that it shows itself, PEM; plain HTTP without them. */
  readonly tls?: { readonly cert: Buffer | string; readonly key: Buffer | string } | undefined;
  /** Called with the reason why a connection to the deployment failed. */
  readonly onUnreachable?: (why: string) => void;
}

export interface RunningRelay {
  readonly url: string;
  close(): Promise<void>;
}

/** Connections that stay silent are checked for life by the system. */
const keepAliveMs = 30_000;

/**
 * Starts a proxy that hands every byte of every connection on as it comes, and lets a tap read along. Each connection of a
 * client has one of its own to the deployment. Only the `Host` field of requests is another one.
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

/** Reports why nothing connects: the client sees nothing of the deployment. */
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
    // Of several addresses that fail alike the message is empty.
    onUnreachable?.(error.message === '' ? String(error.code) : error.message);
  });
}

function listen(server: Server, { host, port }: RelayOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      // A connection that cannot be accepted, for lack of descriptors say, must not end those that are there.
      server.on('error', () => undefined);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Two sockets as one connection: bytes, back pressure, ends and breaks pass both ways. */
function join(client: Socket, deployment: Socket, tap: ConnectionTap, host: HostField): void {
  const reading = (read: () => void): void => {
    // What is read along must never disturb what passes.
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

/** A broken connection is broken on the other side as well; one that ended has ended there already. */
function finish(other: Socket, isBroken: boolean): void {
  if (other.destroyed) return;
  // A socket of TLS cannot be reset; that it ends without a farewell says the same.
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
