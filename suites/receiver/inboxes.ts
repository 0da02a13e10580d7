import { ReceiverInbox } from './inbox.ts';
import { unreadScope } from './protocol.ts';

/** Inboxes that are kept, and closed ones that are remembered; the oldest go first. */
const maxInboxes = 20_000;

/** All inboxes of a receiver, by scope. */
export class Inboxes {
  readonly #now: () => number;
  readonly #known = new Map<string, ReceiverInbox>();
  readonly #closed = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The inbox of a scope, which is opened when it is none yet. */
  open(scope: string): ReceiverInbox {
    const known = this.#known.get(scope);
    if (known !== undefined) return known;
    const inbox = new ReceiverInbox(this.#now);
    this.#known.set(scope, inbox);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxInboxes && oldest !== undefined) this.close(oldest);
    return inbox;
  }

  /** Forgets an inbox: what it holds is answered, and what still comes is answered 200, so that nobody goes on trying. */
  close(scope: string): number {
    const released = this.#known.get(scope)?.release() ?? 0;
    this.#known.delete(scope);
    this.#closed.add(scope);
    const [oldest] = this.#closed;
    if (this.#closed.size > maxInboxes && oldest !== undefined) this.#closed.delete(oldest);
    return released;
  }

  /**
   * The inbox that a request belongs to: that of the first segment of its path which is the scope of one, for something
   * before the receiver may have put others in front. `unread` where nobody wants to see it (any longer); null where it is
   * nobody's.
   */
  of(target: string): ReceiverInbox | 'unread' | null {
    const [path = ''] = target.split('?');
    for (const segment of path.split('/')) {
      const inbox = this.#known.get(segment);
      if (inbox !== undefined) return inbox;
      if (segment === unreadScope || this.#closed.has(segment)) return 'unread';
    }
    return null;
  }
}
