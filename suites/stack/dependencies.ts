import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mostBytes, readWithin } from '../process/read-file.ts';
import type { ReceiverReady } from '../receiver/protocol.ts';
import { type Child, startChild } from './child.ts';
import { programOf } from './programs.ts';
import { type ReceiverChild, startReceiverIn } from './start-receiver.ts';
import { type EventAddresses, privateHosts } from './webhooks.ts';

/** The parts of a stack besides its gateway: the simulated upstreams and the receiver of events. */

export interface EventOptions {
  /**
   * Puts a relay between gateway and receiver. It receives the receiver's addresses and keys, and returns further hosts for
   * events.
   */
  readonly events?: (receiver: ReceiverReady) => Promise<{ readonly allowedHosts: readonly string[] }>;
  /** Further receivers to which events may be sent. */
  readonly webhookHosts?: readonly WebhookHost[];
  /** A file of certificates (PEM) that verify the further receivers. */
  readonly webhookCa?: string;
}

export interface WebhookHost {
  /** Host and port as in a URL: `hooks.example.net:8443`. */
  readonly host: string;
  /** The addresses of the host, where it is a name. */
  readonly addresses: readonly string[];
}

interface DependencyOptions {
  readonly seed: number;
  readonly clock?: boolean;
  /** Where the simulators' console reads deliveries of events; without it there is no console. */
  readonly eventsUrl?: Promise<string>;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts both at once, because the gateway needs both addresses. `onStart` receives each one that runs, even if the other
 * fails.
 */
export async function startDependencies(
  folder: string,
  options: DependencyOptions,
  kitSecret: string,
  onStart: (child: Child) => void,
): Promise<{ simulators: Child; receiver: ReceiverChild }> {
  const starting = [
    startSimulators(options, kitSecret).then((child) => {
      onStart(child);
      return child;
    }),
    startReceiverIn(
      folder,
      privateHosts.flatMap((host) => ['--host', host]),
      options.signal,
    ).then((started) => {
      onStart(started.child);
      return started;
    }),
  ] as const;
  await Promise.allSettled(starting);
  const [simulators, receiver] = await Promise.all(starting);
  return { simulators, receiver };
}

async function startSimulators(
  { seed, clock = true, eventsUrl, signal }: DependencyOptions,
  kitSecret: string,
): Promise<Child> {
  const ui = eventsUrl === undefined ? [] : ['--ui', '--ui-events', await eventsUrl];
  return startChild({
    name: 'the simulators',
    args: [
      programOf('simulators'),
      '--seed',
      String(seed),
      '--strict-models',
      ...(clock ? ['--test-clock'] : []),
      ...ui,
      '--exit-with-stdin',
    ],
    env: { ...process.env, GATECHECK_RECEIVER_SECRET: kitSecret },
    signal,
  });
}

/** Where events of the stack may be sent, with one file of all certificates for these places. */
export async function eventAddresses(
  folder: string,
  { events, webhookHosts = [], webhookCa }: EventOptions,
  receiver: ReceiverReady,
  kitUrl: unknown,
): Promise<EventAddresses> {
  const more = await events?.(receiver);
  const ca = join(folder, 'webhook-ca.pem');
  const vouchers = [receiver.ca, ...(webhookCa === undefined ? [] : [webhookCa])];
  writeFileSync(ca, vouchers.map((path) => readWithin(path, mostBytes.pem).toString('utf8')).join('\n'));
  const named = webhookHosts.filter(({ addresses }) => addresses.length > 0);
  return {
    receiver,
    ca,
    allowedHosts: [...(more?.allowedHosts ?? []), ...webhookHosts.map(({ host }) => host)],
    names: Object.fromEntries(named.map(({ host, addresses }) => [host.replace(/:\d+$/, ''), addresses])),
    ...(typeof kitUrl === 'string' ? { kitUrl } : {}),
  };
}
