import type { Reply, ScriptedFault } from './protocol.ts';

type Given = { readonly fault?: unknown; readonly reply?: Reply; readonly capture?: unknown };

/** Turns a disturbance into a reply. */
export function replyOf({ fault, reply }: Given): Reply {
  return fault === undefined ? (reply ?? {}) : { fault: fault as ScriptedFault };
}
