import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { closerOf, listen } from '../http/listen.ts';
import { createTlsProviderServer, type ProviderContext } from '../serving/server.ts';
import { openBlackhole } from './blackhole.ts';
import {
  type BrokenListener,
  type BrokenListenerKind,
  brokenListenerKinds,
  type Stand,
} from './broken-listener.ts';
import { type CertificateFlaw, certificateWith } from './certificate.ts';

/** All broken listeners of a process. */
interface BrokenListeners {
  readonly origins: Readonly<Record<BrokenListenerKind, string>>;
  close(): Promise<void>;
}

/** Only on this machine, at any port. */
const anywhere: Stand = { host: '127.0.0.1', name: '127.0.0.1', port: 0 };

/**
 * Opens every broken listener. `port` is that of the ordinary upstreams. For callers on other machines, they use the port of
 * `first` and those after it, in the order of their kinds.
 */
export async function openBrokenListeners(
  context: ProviderContext,
  port: number,
  first: Stand = anywhere,
): Promise<BrokenListeners> {
  const at = (kind: BrokenListenerKind): Stand =>
    first.port === 0 ? first : { ...first, port: first.port + brokenListenerKinds.indexOf(kind) };
  const opening: Readonly<Record<BrokenListenerKind, Promise<BrokenListener>>> = {
    refused: openRefused(port, at('refused')),
    blackhole: openBlackhole(at('blackhole')),
    nameless: Promise.resolve(nameless),
    'tls-self-signed': openTls(context, 'self-signed', at('tls-self-signed')),
    'tls-expired': openTls(context, 'expired', at('tls-expired')),
    'tls-wrong-host': openTls(context, 'wrong-host', at('tls-wrong-host')),
    'tls-stall': openTlsStall(at('tls-stall')),
  };
  const settled = await Promise.allSettled(Object.values(opening));
  const open = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(open.map((listener) => listener.close()));
  };
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  const named = await Promise.all(
    Object.entries(opening).map(async ([kind, listener]) => [kind, (await listener).origin] as const),
  );
  return { origins: Object.fromEntries(named) as Record<BrokenListenerKind, string>, close };
}

/** No resolver knows this name: the domain `invalid` is reserved for that purpose. */
const nameless: BrokenListener = { origin: 'http://nameless.invalid', close: async () => {} };

/** The ordinary upstreams behind an untrustworthy certificate. The journal shows every client that accepts it. */
async function openTls(
  context: ProviderContext,
  flaw: CertificateFlaw,
  { host, name, port: wanted }: Stand,
): Promise<BrokenListener> {
  const server = createTlsProviderServer(context, certificateWith(flaw));
  const close = closerOf(server);
  const port = await listen(server, wanted, host);
  return { origin: `https://${name}:${port}`, close };
}

/**
 * A port where nothing listens. Our own end of a connection to `port` occupies it, so nothing else can listen
 * there while the broken listener is open.
 */
async function openRefused(port: number, stand: Stand): Promise<BrokenListener> {
  const local = stand.port === 0 ? {} : { localPort: stand.port };
  const socket = connect({ port, host: '127.0.0.1', ...local });
  await once(socket, 'connect');
  socket.on('error', () => {});
  const { port: taken } = socket.address() as AddressInfo;
  return {
    origin: `http://${stand.name}:${taken}`,
    close: async () => {
      socket.destroy();
      if (!socket.closed) await once(socket, 'close');
    },
  };
}

/** A port that accepts every connection, reads everything, and never answers the TLS handshake. */
async function openTlsStall({ host, name, port: wanted }: Stand): Promise<BrokenListener> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
  });
  const close = closerOf(server);
  const port = await listen(server, wanted, host);
  return {
    origin: `https://${name}:${port}`,
    close,
  };
}
