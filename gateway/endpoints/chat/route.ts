import type { Caller } from '../../access/caller.ts';
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
  const serving = channels.serving(request.model.id, caller.accountId);
  const kind = request.stream ? 'stream' : 'plain';
  return { channels: serving, preferred: choose(serving, { kind, random, tried: null }) };
}
