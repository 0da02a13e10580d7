import { closerOf, listen } from '../http/listen.ts';
import { createTlsProviderServer, type ProviderContext } from '../serving/server.ts';
import { openBlackhole } from './blackhole.ts';
import type { BrokenListener, BrokenListenerKind } from './broken-listener.ts';
import { type CertificateFlaw, certificateWith } from './certificate.ts';
import { openRefused } from './refused.ts';
import { openTlsStall } from './tls-stall.ts';

/** All broken listeners of a process. */
export interface BrokenListeners {
  readonly origins: Readonly<Record<BrokenListenerKind, string>>;
  close(): Promise<void>;
}

/** Opens every broken listener; `port` is that of the ordinary upstreams. */
export async function openBrokenListeners(context: ProviderContext, port: number): Promise<BrokenListeners> {
  const opening: Readonly<Record<BrokenListenerKind, Promise<BrokenListener>>> = {
    refused: openRefused(port),
    blackhole: openBlackhole(),
    nameless: Promise.resolve(nameless),
    'tls-self-signed': openTls(context, 'self-signed'),
    'tls-expired': openTls(context, 'expired'),
    'tls-wrong-host': openTls(context, 'wrong-host'),
    'tls-stall': openTlsStall(),
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
async function openTls(context: ProviderContext, flaw: CertificateFlaw): Promise<BrokenListener> {
  const server = createTlsProviderServer(context, certificateWith(flaw));
  const close = closerOf(server);
  const port = await listen(server);
  return { origin: `https://127.0.0.1:${port}`, close };
}
