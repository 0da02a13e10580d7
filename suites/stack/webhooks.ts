import { randomBytes } from 'node:crypto';
import type { ProfileInput } from '../profile/profile.ts';
import type { ReceiverReady } from '../receiver/protocol.ts';

/** What the reference stack has for events: its receiver, names of forbidden addresses, and the retry schedule. */

/** Where events of a stack may be sent, besides public addresses. */
export interface EventAddresses {
  readonly receiver: ReceiverReady;
  /** Further hosts, each with its port as in a URL. */
  readonly allowedHosts: readonly string[];
  /** The addresses of the hosts that are names. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** A file of certificates (PEM) that verify all of them. */
  readonly ca: string;
  /** The kit's receiver, on the simulators' clock; absent when it was not started. */
  readonly kitUrl?: string;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The wait before each attempt (reading B-114), and the timeout of an attempt. */
const usual = {
  schedule_ms: [
    0,
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
  timeout_ms: 15 * second,
};

/** Short times that a test can wait for, when no clock can be moved. */
const short = { schedule_ms: [0, 500, second, 2 * second], timeout_ms: 2 * second };

const jitterPercent = 10;

/** Few concurrent attempts, so that a run which leaks one at each attempt soon has none left. */
const atOnce = 64;

/**
 * Names that resolve to this machine, by different notations of its address. The canary's certificate covers them.
 */
const privateNames: Readonly<Record<string, string>> = {
  'loopback.guard.example': '127.0.0.1',
  'loopback-six.guard.example': '::1',
  'mapped.guard.example': '::ffff:127.0.0.1',
  'unspecified.guard.example': '0.0.0.0',
};

export const privateHosts: readonly string[] = Object.keys(privateNames);

/** Draws the secret that signs the events of an account. */
export function drawWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The sections `webhooks` and `outbound` of the gateway's configuration. */
export function gatewayEvents(events: EventAddresses, clock: boolean): object {
  return {
    webhooks: { ...timesOf(clock), jitter_percent: jitterPercent, ca: events.ca, at_once: atOnce },
    // The canary must be refused for its address only, so its port is allowed.
    outbound: { ports: [443, 8443, Number(new URL(events.receiver.canary_url).port)] },
  };
}

/** The matching part of the section `test`: names are resolved locally, so that no test depends on a network. */
export function gatewayTestEvents({ receiver, allowedHosts, names = {} }: EventAddresses): object {
  const answers = [
    ...Object.entries(privateNames).map(([name, address]) => [name, [[address]]]),
    ...Object.entries(names).map(([name, addresses]) => [name, [addresses]]),
  ];
  return {
    allowed_hosts: [receiver.url, receiver.untrusted_url]
      .map((url) => new URL(url).host)
      .concat(allowedHosts),
    resolver: Object.fromEntries(answers),
  };
}

/** The facts about events in the profile. */
export function eventFacts(
  { receiver, kitUrl }: EventAddresses,
  clock: boolean,
  secrets: { readonly main: string; readonly kit: string },
): NonNullable<ProfileInput['webhooks']> {
  return {
    receiver: { control: receiver.control_url },
    secret: secrets.main,
    ...timesOf(clock),
    jitter_percent: jitterPercent,
    guards: true,
    untrusted: true,
    private_hosts: [...privateHosts],
    ...(kitUrl === undefined ? {} : { kit: { url: kitUrl, secret: secrets.kit } }),
  };
}

/**
 * A receiver on another machine (`gatecheck inbox`): its URL for gateways, its control API for judges, and its certificate.
 */
export interface RemoteReceiver {
  readonly url: string;
  readonly controlUrl: string;
  readonly ca: string;
}

/**
 * The same sections for a remote receiver. Its canary is on its own loopback, which remote gateways cannot reach, so the
 * profile declares no guards.
 */
export function remoteEvents(
  { url, controlUrl, ca }: RemoteReceiver,
  clock: boolean,
  { main: secret, token }: { readonly main: string; readonly token: string },
): { gateway: object; test: object; profile: NonNullable<ProfileInput['webhooks']> } {
  return {
    gateway: { webhooks: { ...timesOf(clock), jitter_percent: jitterPercent, ca, at_once: atOnce } },
    test: { allowed_hosts: [new URL(url).host] },
    profile: {
      receiver: { control: controlUrl, token },
      secret,
      ...timesOf(clock),
      jitter_percent: jitterPercent,
    },
  };
}

function timesOf(clock: boolean): { schedule_ms: number[]; timeout_ms: number } {
  return clock ? usual : short;
}
