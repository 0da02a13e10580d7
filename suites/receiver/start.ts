import { join } from 'node:path';
import { makeAuthority } from './authority.ts';
import { createControlServer } from './control-server.ts';
import { Inboxes } from './inboxes.ts';
import { certFile, type KeyFiles, keyFile, keysFor } from './keys.ts';
import { closerOf, createCanary, createEventServer, listenAt } from './listeners.ts';
import type { ReceiverReady } from './protocol.ts';

/** Options of a receiver. Port 0 takes a free one. */
export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** The URL by which deployments reach it, if it differs from the listening address. */
  readonly baseUrl?: string;
  /** Names for its certificate, besides its own address and those of this machine. */
  readonly hosts: readonly string[];
  /** A private folder for its keys. */
  readonly dir: string;
  readonly files: KeyFiles;
  /** Whether it speaks plain HTTP, because a proxy in front of it terminates TLS. */
  readonly plain: boolean;
  /** Where judges on other machines reach the control API, with their token; absent on loopback. */
  readonly control?: ControlPlace;
  readonly now: () => number;
}

export interface ControlPlace {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

export interface RunningReceiver extends ReceiverReady {
  close(): Promise<void>;
}

const loopback = '127.0.0.1';

/**
 * Starts a receiver of events, a canary and the control API for both. The canary listens on loopback, and so does the control
 * API unless `control` is given.
 * @throws Error when a port is not available, or the files of a key cannot be used.
 */
export async function startReceiver(options: ReceiverOptions): Promise<RunningReceiver> {
  const { host, port, baseUrl, now, control: place } = options;
  const names = [...new Set([...hostOf(baseUrl), host, loopback, '::1', 'localhost', ...options.hosts])];
  const { keys, ca, vouchers } = await keysFor(names, options);
  // By an authority that is then discarded.
  const strangers = await (await makeAuthority(now())).issue(names);
  const inboxes = new Inboxes(now);
  const events = createEventServer({ inboxes, now }, options.plain ? null : keys);
  const canary = createCanary({ inboxes, now }, keys);
  const alsoCanary = createCanary({ inboxes, now }, keys);
  const untrusted = createEventServer({ inboxes, now }, strangers, 'untrusted');
  const known = { url: '', canary_url: '', untrusted_url: '' };
  const control = createControlServer({
    inboxes,
    token: place?.token ?? null,
    connections: () => canary.connections() + alsoCanary.connections(),
    health: () => ({ ok: true, ...known, ca_pem: vouchers }),
  });
  const servers = [events, canary.server, alsoCanary.server, untrusted, control];
  const close = closerOf(servers);
  try {
    const ownPort = await listenAt(events, host, port);
    const canaryPort = await listenAt(canary.server, loopback, 0);
    // The same port of the other address family, if this machine has one.
    await listenAt(alsoCanary.server, '::1', canaryPort).catch(() => undefined);
    const untrustedPort = await listenAt(untrusted, loopback, 0);
    const controlHost = place?.host ?? loopback;
    const controlPort = await listenAt(control, controlHost, place?.port ?? 0);
    known.url = baseUrl ?? `https://${bracketed(host)}:${ownPort}`;
    known.canary_url = `https://${loopback}:${canaryPort}`;
    known.untrusted_url = `https://${loopback}:${untrustedPort}`;
    const [cert, key] = [join(options.dir, certFile), join(options.dir, keyFile)];
    return { ...known, control_url: `http://${bracketed(controlHost)}:${controlPort}`, ca, cert, key, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function hostOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname.replaceAll(/[[\]]/g, '')];
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
