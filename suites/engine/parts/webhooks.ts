import { randomBytes } from 'node:crypto';
import type { Profile, WebhookProfile } from '../../profile/profile.ts';
import type { ReceiverControl } from '../../receiver/client.ts';
import { type Answer, type ReceivedRequest, unreadScope } from '../../receiver/protocol.ts';
import { Untestable } from '../../rules/violation.ts';
import type { WireRequest } from '../../wire/client.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { Inbox } from '../inbox.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';
import type { CheckSender } from './check-sender.ts';

/** A receiver whose addresses are known, and how to reach its control interface. */
export interface ReachedReceiver {
  readonly control: ReceiverControl;
  readonly baseUrl: string;
  readonly canaryUrl: string;
  readonly untrustedUrl: string;
}

export interface WebhooksSettings {
  readonly profile: Profile;
  readonly receiver: ReachedReceiver | null;
  /** The secret that signs the events of this tenant's account; null where the profile does not declare it. */
  readonly secret: string | null;
  readonly signal: AbortSignal;
  readonly sender: Pick<CheckSender, 'postTo'>;
  readonly clock: Pick<CheckClock, 'timeAt'>;
  /** Keeps those parts of URLs that differ from run to run out of digests. */
  readonly record: Pick<CheckRecord, 'issued'>;
}

/** A webhook URL for requests whose events no check reads, where there is no receiver. */
const nobodysUrl = 'https://hooks.example.com';

/** The events of one tenant: the inboxes where they arrive, and the rules that judge them. */
export class Webhooks {
  readonly #settings: WebhooksSettings;
  readonly #inboxes: Inbox[] = [];
  #watched: Promise<Inbox> | null = null;

  constructor(settings: WebhooksSettings) {
    this.#settings = settings;
  }

  /** Whether there is a receiver that the deployment can reach. */
  get isThere(): boolean {
    return this.#settings.receiver !== null;
  }

  /** What the profile declares about events, with defaults for what it leaves open. */
  get rules(): WebhookProfile {
    return this.#settings.profile.webhooks;
  }

  /** The secret that signs the events of this tenant; null where the profile does not declare it. */
  get secret(): string | null {
    return this.#settings.secret;
  }

  /**
   * Opens a new inbox for events. Each request gets the next answer, and the last one repeats. Without answers,
   * each request gets a 200.
   * @throws Untestable without a receiver.
   */
  async inbox(...answers: Answer[]): Promise<Inbox> {
    const { receiver, signal, profile, clock, record } = this.#settings;
    if (receiver === null) throw new Untestable('webhooks.receiver');
    // The name cannot be guessed, so late events of an earlier run do not arrive here.
    const scope = `in-${randomBytes(9).toString('hex')}`;
    const withinMs = profile.webhooks.within_ms;
    const inbox = new Inbox({
      ...{ ...receiver, scope, signal, withinMs },
      deploymentTimeAt: (realMs) => clock.timeAt(realMs),
      untrustedUrl: profile.webhooks.untrusted ? receiver.untrustedUrl : null,
      translate: profile.translation?.event,
    });
    this.#inboxes.push(inbox);
    record.issued.add(receiver.baseUrl);
    // Checks also ask for the canary by other names of its host.
    record.issued.add(`:${new URL(receiver.canaryUrl).port}/`);
    record.issued.add(scope);
    await inbox.plan(...answers);
    return inbox;
  }

  /** The inbox for tasks that a check ends by the way, whose events are judged after it; null without a receiver. */
  watched(): Promise<Inbox> | null {
    if (this.isThere) this.#watched ??= this.inbox();
    return this.#watched;
  }

  /** That inbox if a task has its URL. */
  get watchedSoFar(): Promise<Inbox> | null {
    return this.#watched;
  }

  /**
   * A legal webhook_url for a request whose events no check reads. A receiver, if there is one, answers them with
   * 200.
   */
  anyUrl(marker: string): string {
    const { receiver, record } = this.#settings;
    if (receiver !== null) record.issued.add(receiver.baseUrl);
    return `${receiver === null ? nobodysUrl : `${receiver.baseUrl}/${unreadScope}`}/${marker}`;
  }

  /** Sends an event to a receiver, as the deployment does. Its timestamp and id differ from run to run. */
  async sendEvent(url: string, request: Omit<WireRequest, 'path' | 'method'>): Promise<Exchange> {
    return this.#settings.sender.postTo(url, request);
  }

  /** What has arrived in all inboxes, for a report. */
  async everything(signal: AbortSignal): Promise<ReceivedRequest[]> {
    const inboxes = this.#inboxes.map((inbox) => inbox.everything(signal));
    return (await Promise.all(inboxes)).flat();
  }

  /** Closes all inboxes, because the tenant goes to another check. */
  async close(): Promise<void> {
    await Promise.all(this.#inboxes.splice(0).map((inbox) => inbox.close()));
    this.#watched = null;
  }

  /** The number of connections to the canary so far, whatever was sent over them; 0 without a receiver. */
  async canaryConnections(): Promise<number> {
    const { receiver, signal } = this.#settings;
    return receiver === null ? 0 : (await receiver.control.connections({ signal })).canary;
  }
}
