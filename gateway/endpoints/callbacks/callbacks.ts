import { GatewayError, invalidParam } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import { isObject, type JsonObject, parseJsonObject } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import { sendJson } from '../../http/send-json.ts';
import type { Channel } from '../../routing/channel.ts';
import type { Gateway } from '../../services/gateway.ts';
import { isFresh, isSignedWith, signatureIn } from '../../upstreams/callback-jobs/callback.ts';
import { nativeIdIn } from '../../upstreams/media/job-words.ts';

const PREFIX = '/callbacks/';
export const CALLBACKS_PATH = `${PREFIX}:channel`;

/** Far more than any report of a job has to say. */
const MOST_BYTES = 256 * 1024;

/** The path at which the upstream of a channel reports back. */
export function callbackPath(channelId: string): string {
  return `${PREFIX}${channelId}`;
}

/**
 * POST /callbacks/{channel}: an upstream says that there is news of a job. It takes no key of callers and no slot, and must
 * be signed by the upstream. It is a hint and nothing more: what counts is what the upstream answers when it is asked, so
 * that callbacks may come twice, in any order, early, late, or never.
 */
export async function takeCallback(exchange: Exchange, gateway: Gateway): Promise<void> {
  const channel = channelAt(exchange.path, gateway);
  // Only the channel goes into the log: of what is not signed every word may be anybody's.
  const cause = { channel: channel.id };
  const signature = signatureIn((name) => exchange.incoming.headersDistinct[name]?.join(','));
  if (signature === null) throw unsigned(cause);
  const body = await readBody(exchange, boundedBy(gateway), gateway.clock);
  if (!isSignedWith(signature, channel.apiKey, body)) throw unsigned(cause);
  if (!isFresh(signature, gateway.clock.now())) {
    const message = 'The callback was not sent within the last 5 minutes.';
    throw new GatewayError('webhook_replay', { message, cause });
  }
  const nativeId = jobIn(parseJsonObject(body).value);
  await takeOnce(`${channel.id}/${signature.id}`, gateway, () => gateway.tasks.notify(channel.id, nativeId));
  await sendJson(exchange, { received: true }, gateway.clock);
}

function channelAt(path: string, { channels }: Gateway): Channel {
  const id = path.slice(PREFIX.length);
  const [live] = channels.all().find((one) => one.id === id)?.models ?? [];
  if (live?.facts.channel.takesCallbacks !== true) throw new GatewayError('not_found');
  return live.facts.channel;
}

function unsigned(cause: object): GatewayError {
  const message = 'The callback is not signed with the key of this channel.';
  return new GatewayError('invalid_api_key', { message, cause });
}

function boundedBy({ limits }: Gateway): Gateway['limits'] {
  return { ...limits, body_bytes: Math.min(limits.body_bytes, MOST_BYTES) };
}

/** The upstream's id of the job that a callback is about. */
function jobIn({ data }: JsonObject): string {
  if (!isObject(data)) throw invalidParam('data', 'data must be an object.');
  const nativeId = nativeIdIn(data.taskId);
  if (nativeId === null) throw invalidParam('data.taskId', 'data.taskId must be the id of a job.');
  return nativeId;
}

/** One that came before is taken as it was then; one that could not be taken may come again. */
async function takeOnce(id: string, { seenCallbacks }: Gateway, take: () => Promise<void>): Promise<void> {
  if (!seenCallbacks.add(id)) return;
  try {
    await take();
  } catch (error) {
    seenCallbacks.take(id);
    throw error;
  }
}
