import { ReceiverInbox } from './inbox.ts';
import { unreadScope } from './protocol.ts';

/** The most inboxes, open or closed, that are remembered. The oldest are dropped first. */
const maxInboxes = 20_000;

/** All inboxes of a receiver, by scope. */
export class Inboxes {
  readonly #now: () => number;
  readonly #known = new Map<string, ReceiverInbox>();
  readonly #closed = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The inbox of a scope; opens a new one if there is none. */
  open(scope: string): ReceiverInbox {
    const known = this.#known.get(scope);
    if (known !== undefined) return known;
    const inbox = new ReceiverInbox(this.#now);
    this.#known.set(scope, inbox);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxInboxes && oldest !== undefined) this.close(oldest);
    return inbox;
  }

  /** The open inboxes, in the order of opening. */
  list(): { scope: string; count: number }[] {
    return [...this.#known].map(([scope, inbox]) => ({ scope, count: inbox.count }));
  }

  /** Closes an inbox. Held requests get an answer, and later ones get 200, so that no sender retries. */
  close(scope: string): number {
    const released = this.#known.get(scope)?.release() ?? 0;
    this.#known.delete(scope);
    this.#closed.add(scope);
    const [oldest] = this.#closed;
    if (this.#closed.size > maxInboxes && oldest !== undefined) this.#closed.delete(oldest);
    return released;
  }

  /**
   * The inbox of a request: the first path segment that is a scope, because a proxy may have added a prefix. `unread` when
   * the inbox is closed or nobody reads it; null when there is none.
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
