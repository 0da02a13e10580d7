import { dataEvent } from '../../http/send-events.ts';

/** An event of the messages protocol, as text to send. */
export function messageEvent(type: string, members: object = {}): string {
  return dataEvent(JSON.stringify({ type, ...members }), type);
}
