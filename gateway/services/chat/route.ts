import type { Caller } from '../../access/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { maxParamLength } from '../../requests/first-issue.ts';
import { stopsOf } from '../../requests/stops.ts';
import { choose } from '../../routing/choose.ts';
import type { LiveChannel } from '../../routing/live-channel.ts';
import { witnessOf } from '../../routing/witness.ts';
import type { ChatService } from './chat-service.ts';

/** Maximum number of stop sequences that the gateway enforces, because each needs a search of the text. */
const maxOwnStops = 64;

/** The channels that can serve a request. */
export interface Route {
  readonly channels: readonly LiveChannel[];
  /** The best channel now, for counting the prompt and for the first attempt; null if none takes a call. */
  readonly preferred: LiveChannel | null;
}

/** Finds the channels of a request's model, and the one to begin with. It reserves nothing: the attempt does. */
export function findRoute({ channels, random }: ChatService, caller: Caller, request: ChatRequest): Route {
  const serving = channels.serving(request.model.id, caller.channelsOf).filter(speaks(request));
  const [nativeOnly] = request.native?.nativeOnly ?? [];
  if (serving.length === 0 && nativeOnly !== undefined) {
    const param = nativeOnly.slice(0, maxParamLength);
    const message = `No upstream of this model takes ${param}.`;
    throw new GatewayError('unsupported_capability', { param, message });
  }
  const kind = request.stream ? 'stream' : 'plain';
  const witness = witnessOf(caller);
  return { channels: serving, preferred: choose(serving, { kind, random, previous: null, witness }) };
}

/** Whether a channel can express all fields of a request. */
function speaks({ native, fields }: ChatRequest): (live: LiveChannel) => boolean {
  if (native === null || native.nativeOnly.length === 0) return () => true;
  const fitsOwnStops = stopsOf(fields).length <= maxOwnStops;
  return ({ channel }) => channel.dialect === native.dialect && (channel.takesStop || fitsOwnStops);
}
