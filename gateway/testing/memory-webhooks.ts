import type {
  EventSink,
  NewEvent,
  WebhookAttempt,
  WebhookEvent,
  WebhookSecret,
  Webhooks,
} from '../webhooks/webhooks.ts';

/** Events in memory without a sender; the test decides their progress. */
export interface MemoryWebhooks extends Webhooks, EventSink {
  /** In the order in which they were stored. */
  readonly all: () => readonly WebhookEvent[];
  /** Stores the event of an ended task; returns its id. */
  add(event: NewEvent): string;
  change(eventId: string, changes: Partial<WebhookEvent>): void;
  /** Adds an attempt to the log of an event. */
  attempted(eventId: string, attempt: WebhookAttempt): void;
}

interface Kept {
  event: WebhookEvent;
  readonly body: string;
  readonly attempts: WebhookAttempt[];
}

/** `now` returns the time for redelivery requests and for secrets. */
export function memoryWebhooks(now: () => number = () => 0): MemoryWebhooks {
  const events = new Map<string, Kept>();
  const kept = (eventId: string): Kept => {
    const one = events.get(eventId);
    if (one === undefined) throw new Error(`no event ${eventId}`);
    return one;
  };
  const change = (eventId: string, changes: Partial<WebhookEvent>): WebhookEvent => {
    const one = kept(eventId);
    one.event = { ...one.event, ...changes };
    return one.event;
  };
  const add = ({ body, atMs, ...event }: NewEvent): string => {
    const id = `evt_${events.size + 1}`;
    const pending = { state: 'pending', attempts: 0, createdAtMs: atMs, nextAtMs: atMs } as const;
    events.set(id, { event: { ...event, id, ...pending, endedAtMs: null }, body, attempts: [] });
    return id;
  };
  return {
    all: () => [...events.values()].map(({ event }) => event),
    add,
    change,
    attempted: (eventId, attempt) => {
      const one = kept(eventId);
      one.attempts.push(attempt);
      change(eventId, { attempts: one.attempts.length });
    },
    insert: async (_trx, added) => {
      for (const event of added) add(event);
    },
    wake: () => {},
    search: async ({ accountId, taskId, state }, limit, after) =>
      [...events.values()]
        .map(({ event }) => event)
        .filter((event) => accountId === undefined || event.accountId === accountId)
        .filter((event) => taskId === undefined || event.taskId === taskId)
        .filter((event) => state === undefined || event.state === state)
        .toSorted((one, other) => compare(other, one))
        .filter((event) => after === undefined || compare(event, after) < 0)
        .slice(0, limit),
    find: async (eventId) => events.get(eventId) ?? null,
    redeliver: async (eventId) =>
      events.has(eventId) ? change(eventId, { state: 'pending', nextAtMs: now(), endedAtMs: null }) : null,
    ...memorySecrets(now),
    idle: async () => {},
  };
}

function memorySecrets(now: () => number): Pick<Webhooks, 'secrets' | 'rotate' | 'end'> {
  let all: readonly WebhookSecret[] = [];
  return {
    secrets: async (accountId) => all.filter((secret) => secret.accountId === accountId),
    rotate: async (accountId, overlapMs) => {
      const secret = `whsec_${Buffer.from(`secret number ${all.length} of ${accountId}`).toString('base64')}`;
      const made = {
        id: `whs_${all.length + 1}`,
        accountId,
        hint: secret.slice(-4),
        createdAtMs: now(),
        endsAtMs: null,
      };
      const before = all.map((one) =>
        one.accountId === accountId ? { ...one, endsAtMs: one.endsAtMs ?? now() + overlapMs } : one,
      );
      all = [made, ...before];
      return { ...made, secret };
    },
    end: async (accountId, secretId) => {
      const rest = all.filter(
        (one) => one.accountId !== accountId || one.id !== secretId || one.endsAtMs === null,
      );
      const isEnded = rest.length < all.length;
      all = rest;
      return isEnded;
    },
  };
}

function compare(
  one: Pick<WebhookEvent, 'createdAtMs' | 'id'>,
  other: Pick<WebhookEvent, 'createdAtMs' | 'id'>,
): number {
  return one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
