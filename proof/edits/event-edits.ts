import { type Body, objectIn } from '../../suites/rewrite/json.ts';
import type { DeliveryRoute, ProxyAnswer, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { headerOf, withHeader, withoutHeaders } from '../../suites/rewrite/proxy-headers.ts';
import { isJsonObject } from '../../suites/values/json.ts';
import { type Claim, front, type Mutant } from './mutant.ts';

/** Changes to events on their way to the receiver. */

type Deliver = (event: ProxyRequest, eventRoute: DeliveryRoute) => Promise<ProxyAnswer>;

/** A defect that shows only in the events of a gateway. */
export function events(claim: Claim, deliver: Deliver): Mutant {
  return front(claim, { deliver });
}

/** The answer that the gateway gets for a dropped event. */
export const taken: ProxyAnswer = { status: 200, headers: [], body: Buffer.alloc(0) };

/** Drops the events that meet a condition. */
export function withholds(when: (record: Body) => boolean): Deliver {
  return async (event, eventRoute) => (when(recordIn(event)) ? taken : eventRoute.forward(event));
}

/** Changes the payload of events and signs the result. */
export function editsSigned(edit: (payload: Body, record: Body) => void): Deliver {
  return async (event, eventRoute) => eventRoute.forward(eventRoute.sign(edited(event, edit)));
}

/** Changes events without a new signature. */
export function editsUnsigned(
  change: (event: ProxyRequest, eventRoute: DeliveryRoute) => ProxyRequest,
): Deliver {
  return async (event, eventRoute) => eventRoute.forward(change(event, eventRoute));
}

export function edited(event: ProxyRequest, edit: (payload: Body, record: Body) => void): ProxyRequest {
  const payload = objectIn(event.body) ?? {};
  edit(payload, isJsonObject(payload.data) ? payload.data : {});
  return { ...event, body: Buffer.from(JSON.stringify(payload)) };
}

/** The task record inside an event. */
export function recordIn(event: ProxyRequest): Body {
  const { data } = objectIn(event.body) ?? {};
  return isJsonObject(data) ? data : {};
}

export function taskOf(event: ProxyRequest): string {
  return String(recordIn(event).task_id);
}

/** Replaces a header; null removes it. */
export function withEventHeader(event: ProxyRequest, name: string, value: string | null): ProxyRequest {
  const { headers } = event;
  return {
    ...event,
    headers: value === null ? withoutHeaders(headers, name) : withHeader(headers, name, value),
  };
}

/** The `webhook-timestamp` of an event, Unix seconds. */
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

/** An id that no other event has. */
export function nextId(): string {
  made += 1;
  return `evt_mutant${made}`;
}
