import type { Caller } from '../../access/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { maxParamLength } from '../../requests/first-issue.ts';
import { stopsOf } from '../../requests/stops.ts';
import { choose } from '../../routing/choose.ts';
import type { LiveChannel } from '../../routing/live-channel.ts';
import type { ChatService } from './chat-service.ts';

/** For every stop of ours the text is gone through once more; nobody needs so many. */
const maxOwnStops = 64;

/** The ways that a request can take. */
export interface Route {
  readonly channels: readonly LiveChannel[];
  /** The best of them now, for the count of the prompt and the first attempt; null when none takes a call. */
  readonly preferred: LiveChannel | null;
}

/** The channels of a request's model, and the one to begin with. Takes nothing: the attempt does. */
export function findRoute({ channels, random }: ChatService, caller: Caller, request: ChatRequest): Route {
  const serving = channels.serving(request.model.id, caller.channelsOf).filter(speaks(request));
  const [nativeOnly] = request.native?.nativeOnly ?? [];
  if (serving.length === 0 && nativeOnly !== undefined) {
    const param = nativeOnly.slice(0, maxParamLength);
    const message = `No upstream of this model takes ${param}.`;
    throw new GatewayError('unsupported_capability', { param, message });
  }
  const kind = request.stream ? 'stream' : 'plain';
  return { channels: serving, preferred: choose(serving, { kind, random, previous: null }) };
}

/** Whether a channel can be told all that a request says. */
function speaks({ native, fields }: ChatRequest): (live: LiveChannel) => boolean {
  if (native === null || native.nativeOnly.length === 0) return () => true;
  const isHaltable = stopsOf(fields).length <= maxOwnStops;
  return ({ channel }) => channel.dialect === native.dialect && (channel.takesStop || isHaltable);
}
