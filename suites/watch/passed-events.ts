import type { EventClaims } from '../oracle/webhooks/judge-event.ts';
import { readPayload } from '../oracle/webhooks/payload.ts';
import type { Stamp } from '../oracle/webhooks/stamp.ts';
import type { Profile } from '../profile/profile.ts';
import type { Exchange } from '../wire/exchange.ts';
import { eventHeader, type ReceivedEvent } from '../wire/received-event.ts';
import type { Submissions } from './submissions.ts';

/** Larger events are judged by themselves, and not kept for comparison, bytes. */
const mostKept = 64 * 1024;
/** The most bytes of bodies that are kept in total. */
const mostInAll = 32 * 1024 * 1024;
/** The most deliveries of one task that are compared with each other. */
const mostDeliveries = 50;

const usualTimestampHeader = 'X-Service-Timestamp';
const ownHeaders: readonly string[] = ['webhook-id', 'webhook-signature'];

/** The header with the time of sending, by the name in the profile. */
export function timestampHeaderOf(profile: Profile | null): string {
  return profile?.webhooks.timestamp_header ?? usualTimestampHeader;
}

/** Whether a request has headers that events have. */
export function hasEventHeaders({ request }: Exchange, profile: Profile | null): boolean {
  const marks = [...ownHeaders, timestampHeaderOf(profile).toLowerCase()];
  return request.method === 'POST' && request.headers.some(([name]) => marks.includes(name.toLowerCase()));
}

/** Whether an exchange outside the interface is an event on its way to a receiver. */
export function isEvent(
  exchange: Exchange,
  { submissions, profile }: { readonly submissions: Submissions; readonly profile: Profile | null },
): boolean {
  const { method, url, body } = exchange.request;
  if (method !== 'POST') return false;
  if (hasEventHeaders(exchange, profile) || submissions.isWanted(url)) return true;
  const { taskId, status } = readPayload({ body });
  return taskId !== null && (status !== null || submissions.of(taskId) !== undefined);
}

/** A passing exchange as the receiver of the event saw it. Null where the receiver did not wait for all of it. */
export function eventOf(exchange: Exchange, n: number): ReceivedEvent | null {
  const { request, response, sentAt, endedAt } = exchange;
  const { pathname, search } = new URL(request.url);
  const length = request.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  if (length !== undefined && Number(length) !== request.body.length) return null;
  return {
    ...{ n, via: 'https', method: request.method, headers: request.headers, body: request.body },
    ...{ target: pathname + search, isCut: false, receivedMs: { min: sentAt, max: sentAt } },
    answered:
      response === null ? { kind: 'reset' } : { kind: 'status', status: response.status, at_ms: endedAt },
    exchange,
  };
}

/** The events that passed, by task and by id. When there is no room, the oldest are dropped. */
export class PassedEvents {
  readonly #most: number;
  /** Deliveries by task; those that name no task, by their id. */
  readonly #groups = new Map<string, ReceivedEvent[]>();
  readonly #byId = new Map<string, EventClaims>();
  #bytes = 0;
  #count = 0;

  /** @param most the number of tasks */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the next number. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /** The deliveries of a task so far, in order of arrival. */
  of(taskId: string): readonly ReceivedEvent[] {
    return this.#groups.get(taskId) ?? [];
  }

  /** The first delivery with this id. */
  first(id: string): EventClaims | undefined {
    return this.#byId.get(id);
  }

  /**
   * Remembers a delivery. It is also kept by its id if its time can be read, because the next delivery must have a new time.
   */
  keep(
    event: ReceivedEvent,
    { payload, stamp }: Pick<EventClaims, 'payload'> & { stamp: Stamp | null },
  ): void {
    const id = eventHeader(event, 'webhook-id');
    const group = payload.taskId ?? `id ${id}`;
    const known = this.#groups.get(group) ?? [];
    if (event.body.length > mostKept || known.length >= mostDeliveries) return;
    if (id !== null && stamp !== null && !this.#byId.has(id))
      this.#byId.set(id, { event, id, stamp, payload, advice: [] });
    this.#groups.set(group, [...known, event]);
    this.#bytes += event.body.length;
    while (this.#groups.size > this.#most || this.#bytes > mostInAll) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [[group, events] = ['', []]] = this.#groups;
    this.#groups.delete(group);
    for (const event of events) {
      this.#bytes -= event.body.length;
      const id = eventHeader(event, 'webhook-id') ?? '';
      if (this.#byId.get(id)?.event === event) this.#byId.delete(id);
    }
  }
}
