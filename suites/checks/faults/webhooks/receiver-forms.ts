import type { Inbox } from '../../../engine/inbox.ts';
import type { Webhooks } from '../../../engine/parts/webhooks.ts';
import type { TaskRecord } from '../../../oracle/media/task-answer.ts';
import type { Answer } from '../../../receiver/protocol.ts';
import type { Exchange } from '../../../wire/exchange.ts';

/** A faulty receiver, and where its events are sent. */
export interface BadReceiver {
  readonly form: string;
  readonly inbox: Inbox;
  /** The webhook_url of its task. */
  readonly url: string;
  /** Where a redirect would lead; nothing may arrive there. */
  readonly elsewhere: Inbox | null;
}

/** A task whose event goes to a faulty receiver. */
export interface ReceiverAttempt {
  readonly receiver: BadReceiver;
  readonly submitted: Exchange;
  /** Null when the submission was refused. */
  readonly taskId: string | null;
  /** The last read; null before the first. */
  readonly record: TaskRecord | null;
}

const good: Answer = { status: 200 };

/** How often the receiver fails before it accepts an event. */
export const failures = 2;

/** Arranges a receiver of this form; null where the deployment cannot have one. */
export async function arrangeReceiver(webhooks: Webhooks, form: string): Promise<BadReceiver | null> {
  const inbox = await webhooks.inbox();
  const fails = async (...answers: Answer[]): Promise<BadReceiver> => {
    await inbox.plan(...answers, good);
    return { form, inbox, url: inbox.url(), elsewhere: null };
  };
  const leads = async (elsewhere: Inbox, redirect: string): Promise<BadReceiver> => {
    await inbox.plan({ redirect, status: 307 }, { redirect, status: 302 }, good);
    return { form, inbox, url: inbox.url(), elsewhere };
  };
  const [host] = webhooks.rules.private_hosts;
  switch (form) {
    case 'server-error':
      return fails({ status: 500 }, { status: 503 });
    case 'hang':
      return fails({ hold: true }, { hold: true });
    case 'slow':
      return fails({ hold: true });
    case 'reset':
      return fails({ reset: true }, { reset: true });
    case 'gone':
      return fails({ status: 410 });
    case 'redirect': {
      const elsewhere = await webhooks.inbox();
      return leads(elsewhere, elsewhere.url());
    }
    case 'redirect-private':
      return leads(inbox, inbox.canaryUrl('http'));
    case 'tls-bad': {
      const url = inbox.untrustedUrl();
      return url === null ? null : { form, inbox, url, elsewhere: null };
    }
    case 'private-literal':
      return { form, inbox, url: inbox.canaryUrl('https'), elsewhere: null };
    case 'private-name':
      return host === undefined
        ? null
        : { form, inbox, url: inbox.canaryUrl('https', host), elsewhere: null };
    default:
      return null;
  }
}
