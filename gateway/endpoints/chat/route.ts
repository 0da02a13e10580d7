import type { Caller } from '../../access/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { choose } from '../../routing/choose.ts';
import type { LiveChannel } from '../../routing/live-channel.ts';
import type { Gateway } from '../gateway.ts';

/** The ways that a request can take. */
export interface Route {
  readonly channels: readonly LiveChannel[];
  /** The best of them now, for the count of the prompt and the first attempt; null when none takes a call. */
  readonly preferred: LiveChannel | null;
}

/** The channels of a request's model, and the one to begin with. Takes nothing: the attempt does. */
export function findRoute({ channels, random }: Gateway, caller: Caller, request: ChatRequest): Route {
  const serving = channels.serving(request.model.id, caller.accountId).filter(speaks(request));
  const [beyond] = request.native?.beyond ?? [];
  if (serving.length === 0 && beyond !== undefined) {
    const message = `No upstream of this model takes ${beyond}.`;
    throw new GatewayError('unsupported_capability', { param: beyond, message });
  }
  const kind = request.stream ? 'stream' : 'plain';
  return { channels: serving, preferred: choose(serving, { kind, random, tried: null }) };
}

/** Whether a channel can be told all that a request says. */
function speaks({ native }: ChatRequest): (live: LiveChannel) => boolean {
  return ({ channel }) => native === null || native.beyond.length === 0 || channel.dialect === native.dialect;
}
