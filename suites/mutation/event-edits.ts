import { type Body, objectIn } from './json.ts';
import { type Claim, front, type Mutant } from './mutant.ts';
import type { DeliveryRoute, ProxyAnswer, ProxyRequest } from './mutation.ts';
import { headerOf, withHeader, withoutHeaders } from './proxy-headers.ts';

/** Changes to events on their way to the receiver. */

type Deliver = (event: ProxyRequest, eventRoute: DeliveryRoute) => Promise<ProxyAnswer>;

/** A defect that shows in the events of a gateway alone. */
export function events(claim: Claim, deliver: Deliver): Mutant {
  return front(claim, { deliver });
}

/** What a gateway hears of an event that nobody was sent. */
export const taken: ProxyAnswer = { status: 200, headers: [], body: Buffer.alloc(0) };

/** Events of which a condition holds are not sent at all. */
export function withholds(when: (record: Body) => boolean): Deliver {
  return async (event, eventRoute) => (when(recordIn(event)) ? taken : eventRoute.forward(event));
}

/** Changes what events say, and signs that. */
export function editsSigned(edit: (payload: Body, record: Body) => void): Deliver {
  return async (event, eventRoute) => eventRoute.forward(eventRoute.sign(edited(event, edit)));
}

/** Changes events without signing them again. */
export function editsUnsigned(
  change: (event: ProxyRequest, eventRoute: DeliveryRoute) => ProxyRequest,
): Deliver {
  return async (event, eventRoute) => eventRoute.forward(change(event, eventRoute));
}

export function edited(event: ProxyRequest, edit: (payload: Body, record: Body) => void): ProxyRequest {
  const payload = objectIn(event.body) ?? {};
  edit(payload, isBody(payload.data) ? payload.data : {});
  return { ...event, body: Buffer.from(JSON.stringify(payload)) };
}

/** The record of the task that an event reports. */
export function recordIn(event: ProxyRequest): Body {
  const { data } = objectIn(event.body) ?? {};
  return isBody(data) ? data : {};
}

export function taskOf(event: ProxyRequest): string {
  return String(recordIn(event).task_id);
}

/** Replaces a header; null takes it away. */
export function withEventHeader(event: ProxyRequest, name: string, value: string | null): ProxyRequest {
  const { headers } = event;
  return {
    ...event,
    headers: value === null ? withoutHeaders(headers, name) : withHeader(headers, name, value),
  };
}

/** When an event says that it was sent, Unix seconds. */
export function secondsOf(event: ProxyRequest): number {
  return Number(headerOf(event.headers, 'webhook-timestamp'));
}

/** An event that no gateway has sent yet, without its signature. */
export function newEvent(path: string, type: string, record: Body): ProxyRequest {
  return {
    method: 'POST',
    path,
    headers: [
      ['content-type', 'application/json'],
      ['user-agent', 'gatecheck-gateway'],
    ],
    body: Buffer.from(JSON.stringify({ type, timestamp: String(record.submit_time), data: record })),
  };
}

let made = 0;

/** An id that no event had before. */
export function nextId(): string {
  made += 1;
  return `evt_mutant${made}`;
}

function isBody(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
