import { GatewayError, invalidParam } from '../../errors/gateway-error.ts';
import { isObject, type JsonObject, parseJsonObject } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import type { Endpoint } from '../../http/route.ts';
import { sendJson } from '../../http/send-json.ts';
import type { Channel } from '../../routing/channel.ts';
import type { Channels } from '../../routing/channels.ts';
import type { Tasks } from '../../services/tasks/tasks.ts';
import type { ExpiringSet } from '../../tasks/expiring-set.ts';
import { isFresh, isSignedWith, signatureIn } from '../../upstreams/callback-jobs/callback.ts';
import { nativeIdIn } from '../../upstreams/media/job-words.ts';

const prefix = '/callbacks/';
export const callbacksPath = `${prefix}:channel`;

/** Far more than a report about a job needs. */
const maxBytes = 256 * 1024;

/** The path to which the upstream of a channel sends callbacks. */
export function callbackPath(channelId: string): string {
  return `${prefix}${channelId}`;
}

export interface CallbackDeps {
  readonly channels: Channels;
  readonly tasks: Pick<Tasks, 'notify'>;
  /** Recently accepted callbacks, by channel and id: each counts once. */
  readonly seen: ExpiringSet;
}

/**
 * POST /callbacks/{channel}: a job notification from an upstream. It takes no caller's key and no slot, and must
 * carry the upstream's signature. It is only a hint: the job is polled, and the upstream's answer counts. So
 * callbacks may come twice, in any order, early, late, or never.
 */
export function takeCallback({ channels, tasks, seen }: CallbackDeps): Endpoint {
  return async (exchange, ids) => {
    const channel = channelIn(channels, ids.channel);
    // Only the channel is logged: an unsigned callback may come from any sender.
    const cause = { channel: channel.id };
    const seal = signatureIn((name) => exchange.incoming.headersDistinct[name]?.join(','));
    if (seal === null) throw unsigned(cause);
    const body = await readBody(exchange, Math.min(maxBytes, exchange.limits.body_bytes));
    if (!isSignedWith(seal, channel.apiKey, body)) throw unsigned(cause);
    if (!isFresh(seal, exchange.clock.now())) {
      const message = 'The callback was not sent within the last 5 minutes.';
      throw new GatewayError('webhook_replay', { message, cause });
    }
    const nativeId = jobIn(parseJsonObject(body).value);
    await takeOnce(`${channel.id}/${seal.id}`, seen, () => tasks.notify(channel.id, nativeId));
    await sendJson(exchange, { received: true });
  };
}

function channelIn(channels: Channels, id: string | undefined): Channel {
  const [live] = (id === undefined ? undefined : channels.named(id)[0])?.models ?? [];
  if (live?.facts.channel.takesCallbacks !== true) throw new GatewayError('not_found');
  return live.facts.channel;
}

function unsigned(cause: object): GatewayError {
  const message = 'The callback is not signed with the key of this channel.';
  return new GatewayError('invalid_api_key', { message, cause });
}

/** The upstream's id of the job that a callback reports. */
function jobIn({ data }: JsonObject): string {
  if (!isObject(data)) throw invalidParam('data', 'data must be an object.');
  const nativeId = nativeIdIn(data.taskId);
  if (nativeId === null) throw invalidParam('data.taskId', 'data.taskId must be the id of a job.');
  return nativeId;
}

/** Processes each callback once and ignores repeats. A failed callback may come again. */
async function takeOnce(id: string, seen: ExpiringSet, take: () => Promise<void>): Promise<void> {
  if (!seen.add(id)) return;
  try {
    await take();
  } catch (error) {
    seen.take(id);
    throw error;
  }
}
