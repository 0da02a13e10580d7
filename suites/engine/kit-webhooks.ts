import { randomBytes } from 'node:crypto';
import type { Profile, WebhookProfile } from '../profile/profile.ts';
import type { ReceiverControl } from '../receiver/client.ts';
import { type Answer, unreadScope } from '../receiver/protocol.ts';
import { Untestable } from '../rules/violation.ts';
import { Inbox, type InboxParts } from './inbox.ts';

/** A receiver that was asked where it is, and how to speak to it. */
export interface ReachedReceiver {
  readonly control: ReceiverControl;
  readonly baseUrl: string;
  readonly canaryUrl: string;
  readonly untrustedUrl: string;
}

export interface WebhookParts {
  readonly profile: Profile;
  readonly receiver: ReachedReceiver | null;
  /** What events of the account of this lane are signed with; null where the profile does not tell. */
  readonly secret: string | null;
  readonly signal: AbortSignal;
  readonly deploymentTimeAt: InboxParts['deploymentTimeAt'];
  /** Told of each part of a URL that is another one in each run. */
  readonly made: (part: string) => void;
}

/** Where callers are told to want their events when nobody looks whether any come. */
const nobodysUrl = 'https://hooks.example.com';

/** The events of one lane: places where they may arrive, and what they are judged by. */
export class KitWebhooks {
  readonly #parts: WebhookParts;
  readonly #inboxes: Inbox[] = [];

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  /** Whether there is a receiver that the deployment can reach. */
  get isThere(): boolean {
    return this.#parts.receiver !== null;
  }

  /** What the profile tells of events, with what it leaves open filled in. */
  get rules(): WebhookProfile {
    return this.#parts.profile.webhooks;
  }

  /** What events of this lane are signed with; null where nobody tells. */
  get secret(): string | null {
    return this.#parts.secret;
  }

  /**
   * A place of its own for events, which answers as told: each request takes the next answer, the last one repeats, and
   * without any each is answered 200.
   * @throws Untestable without a receiver.
   */
  async inbox(...answers: Answer[]): Promise<Inbox> {
    const { receiver, signal, profile, deploymentTimeAt } = this.#parts;
    if (receiver === null) throw new Untestable('webhooks.receiver');
    // Nobody else can guess it, and what an earlier run is still owed does not arrive in it.
    const scope = `in-${randomBytes(9).toString('hex')}`;
    const withinMs = profile.webhooks.within_ms;
    const inbox = new Inbox({
      ...{ ...receiver, scope, signal, withinMs, deploymentTimeAt },
      untrustedUrl: profile.webhooks.untrusted ? receiver.untrustedUrl : null,
    });
    this.#inboxes.push(inbox);
    this.#parts.made(receiver.baseUrl);
    // The canary is asked for by other names of its host, too.
    this.#parts.made(`:${new URL(receiver.canaryUrl).port}/`);
    this.#parts.made(scope);
    await inbox.plan(...answers);
    return inbox;
  }

  /** A legal webhook_url for a request whose events nobody looks at: they are answered 200 where there is a receiver. */
  anyUrl(marker: string): string {
    const { receiver, made } = this.#parts;
    if (receiver !== null) made(receiver.baseUrl);
    return `${receiver === null ? nobodysUrl : `${receiver.baseUrl}/${unreadScope}`}/${marker}`;
  }

  /** Ends all inboxes: the lane goes to another check. */
  async close(): Promise<void> {
    await Promise.all(this.#inboxes.splice(0).map((inbox) => inbox.close()));
  }

  /** Connections that were made to the canary so far, whatever came over them; 0 without a receiver. */
  async canaryConnections(): Promise<number> {
    const { receiver, signal } = this.#parts;
    return receiver === null ? 0 : (await receiver.control.connections({ signal })).canary;
  }
}
