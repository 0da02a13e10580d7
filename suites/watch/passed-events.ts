import type { EventClaims } from '../oracle/webhooks/judge-event.ts';
import { type Payload, readPayload } from '../oracle/webhooks/payload.ts';
import type { Stamp } from '../oracle/webhooks/stamp.ts';
import type { Profile } from '../profile/profile.ts';
import type { Exchange } from '../wire/exchange.ts';
import { eventHeader, type ReceivedEvent } from '../wire/received-event.ts';
import type { Submissions } from './submissions.ts';

/** Larger events are judged alone, and not kept for those that follow, bytes. */
const mostKept = 64 * 1024;
/** So many deliveries of one task are held against each other. */
const mostDeliveries = 50;

const usualTimestampHeader = 'X-Service-Timestamp';
const ownHeaders: readonly string[] = ['webhook-id', 'webhook-signature'];

/** The header with the time of sending, as the profile calls it. */
export function timestampHeaderOf(profile: Profile | null): string {
  return profile?.webhooks.timestamp_header ?? usualTimestampHeader;
}

/** Whether a request has headers that events have. */
export function hasEventHeaders({ request }: Exchange, profile: Profile | null): boolean {
  const marks = [...ownHeaders, timestampHeaderOf(profile).toLowerCase()];
  return request.method === 'POST' && request.headers.some(([name]) => marks.includes(name.toLowerCase()));
}

/** Whether an exchange that is no call of the interface is an event on its way to a receiver. */
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

/** The events that passed, of each task and by their ids, as far as there is room: the oldest are forgotten. */
export class PassedEvents {
  readonly #most: number;
  readonly #byTask = new Map<string, ReceivedEvent[]>();
  readonly #byId = new Map<string, EventClaims>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many passed. */
  get count(): number {
    return this.#count;
  }

  /** Counts on. */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /** The deliveries of a task so far, in order of arrival. */
  of(taskId: string): readonly ReceivedEvent[] {
    return this.#byTask.get(taskId) ?? [];
  }

  /** The first delivery with this id. */
  first(id: string): EventClaims | undefined {
    return this.#byId.get(id);
  }

  /** Remembers a delivery; by its id where its time can be read, which the next one must renew. */
  keep(
    event: ReceivedEvent,
    { payload, stamp }: { readonly payload: Payload; readonly stamp: Stamp | null },
  ): void {
    if (event.body.length > mostKept) return;
    const id = eventHeader(event, 'webhook-id');
    if (id !== null && stamp !== null && !this.#byId.has(id))
      this.#byId.set(id, { event, id, stamp, payload, advice: [] });
    if (payload.taskId !== null) {
      const known = this.#byTask.get(payload.taskId) ?? [];
      if (known.length < mostDeliveries) this.#byTask.set(payload.taskId, [...known, event]);
    }
    for (const all of [this.#byId, this.#byTask]) {
      const [oldest] = all.keys();
      if (all.size > this.#most && oldest !== undefined) all.delete(oldest);
    }
  }
}
