import { randomBytes } from 'node:crypto';
import type { Profile, WebhookProfile } from '../../profile/profile.ts';
import type { ReceiverControl } from '../../receiver/client.ts';
import { type Answer, unreadScope } from '../../receiver/protocol.ts';
import { Untestable } from '../../rules/violation.ts';
import type { WireRequest } from '../../wire/client.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { Inbox } from '../inbox.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';
import type { CheckSender } from './check-sender.ts';

/** A receiver that was asked where it is, and how to speak to it. */
export interface ReachedReceiver {
  readonly control: ReceiverControl;
  readonly baseUrl: string;
  readonly canaryUrl: string;
  readonly untrustedUrl: string;
}

export interface WebhooksSettings {
  readonly profile: Profile;
  readonly receiver: ReachedReceiver | null;
  /** What events of the account of this lane are signed with; null where the profile does not tell. */
  readonly secret: string | null;
  readonly signal: AbortSignal;
  readonly sender: Pick<CheckSender, 'postTo'>;
  readonly clock: Pick<CheckClock, 'timeAt'>;
  /** Keeps parts of URLs that differ from run to run out of digests. */
  readonly record: Pick<CheckRecord, 'issued'>;
}

/** Where callers are told to want their events when nobody looks whether any come. */
const nobodysUrl = 'https://hooks.example.com';

/** The events of one lane: places where they may arrive, and what they are judged by. */
export class Webhooks {
  readonly #settings: WebhooksSettings;
  readonly #inboxes: Inbox[] = [];

  constructor(settings: WebhooksSettings) {
    this.#settings = settings;
  }

  /** Whether there is a receiver that the deployment can reach. */
  get isThere(): boolean {
    return this.#settings.receiver !== null;
  }

  /** What the profile tells of events, with what it leaves open filled in. */
  get rules(): WebhookProfile {
    return this.#settings.profile.webhooks;
  }

  /** What events of this lane are signed with; null where nobody tells. */
  get secret(): string | null {
    return this.#settings.secret;
  }

  /**
   * A place of its own for events, which answers as told: each request takes the next answer, the last one repeats, and
   * without any each is answered 200.
   * @throws Untestable without a receiver.
   */
  async inbox(...answers: Answer[]): Promise<Inbox> {
    const { receiver, signal, profile, clock, record } = this.#settings;
    if (receiver === null) throw new Untestable('webhooks.receiver');
    // Nobody else can guess it, and what an earlier run is still owed does not arrive in it.
    const scope = `in-${randomBytes(9).toString('hex')}`;
    const withinMs = profile.webhooks.within_ms;
    const inbox = new Inbox({
      ...{ ...receiver, scope, signal, withinMs },
      deploymentTimeAt: (realMs) => clock.timeAt(realMs),
      untrustedUrl: profile.webhooks.untrusted ? receiver.untrustedUrl : null,
    });
    this.#inboxes.push(inbox);
    record.issued.add(receiver.baseUrl);
    // The canary is asked for by other names of its host, too.
    record.issued.add(`:${new URL(receiver.canaryUrl).port}/`);
    record.issued.add(scope);
    await inbox.plan(...answers);
    return inbox;
  }

  /** A legal webhook_url for a request whose events nobody looks at: they are answered 200 where there is a receiver. */
  anyUrl(marker: string): string {
    const { receiver, record } = this.#settings;
    if (receiver !== null) record.issued.add(receiver.baseUrl);
    return `${receiver === null ? nobodysUrl : `${receiver.baseUrl}/${unreadScope}`}/${marker}`;
  }

  /** Sends an event to a receiver, as the deployment does. Its time and its id differ from run to run. */
  async sendEvent(url: string, request: Omit<WireRequest, 'path' | 'method'>): Promise<Exchange> {
    return this.#settings.sender.postTo(url, request);
  }

  /** Ends all inboxes: the lane goes to another check. */
  async close(): Promise<void> {
    await Promise.all(this.#inboxes.splice(0).map((inbox) => inbox.close()));
  }

  /** Connections that were made to the canary so far, whatever came over them; 0 without a receiver. */
  async canaryConnections(): Promise<number> {
    const { receiver, signal } = this.#settings;
    return receiver === null ? 0 : (await receiver.control.connections({ signal })).canary;
  }
}
