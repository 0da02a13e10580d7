import { createHmac } from 'node:crypto';
import type { IncomingEvent } from '../verify.ts';

/** The parts of a test event. Every part has a valid default. */
export interface EventParts {
  readonly id?: string;
  readonly timestamp?: string;
  readonly body?: Uint8Array;
  readonly keys?: readonly Uint8Array[];
}

export const [oldKey, newKey] = [
  Buffer.from('old key of thirty-two bytes, old'),
  Buffer.from('new key of thirty-two bytes, new'),
];

/** The whole second at which the tests of this folder take place. */
export const nowSeconds = 1_763_800_000;

/** An event as a sender would sign it, with each of the keys. */
export function signed({
  id = 'evt_1',
  timestamp = String(nowSeconds),
  body = Buffer.from('{"type":"task.success"}'),
  keys = [newKey],
}: EventParts = {}): IncomingEvent {
  const signatures = keys.map((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    headers: [
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', signatures.join(' ')],
      ['x-service-timestamp', timestamp],
    ],
    body,
  };
}

/** The same event with one of its headers replaced. */
export function withHeader(event: IncomingEvent, name: string, value: string): IncomingEvent {
  const headers = event.headers.filter(([key]) => key !== name);
  return { ...event, headers: [...headers, [name, value]] };
}

/** The header of an event. */
export function headerOf(event: IncomingEvent, name: string): string {
  return event.headers.find(([key]) => key === name)?.[1] ?? '';
}
