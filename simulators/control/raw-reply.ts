import type { Reply } from './protocol.ts';

/** Whether the reply is sent as given, instead of as a completion of the dialect. */
export function isRaw(reply: Reply): boolean {
  return reply.status !== undefined || reply.body !== undefined || reply.events !== undefined;
}
