import { UnreachableError, UsageError } from '../exit-codes.ts';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import type { Profile } from '../profile/profile.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import { type Exchange, jsonOf, outcomeOf } from '../wire/exchange.ts';
import { pingHooks } from './ping-hooks.ts';
import { pingReceivers } from './ping-receiver.ts';
import { pingRecords } from './ping-records.ts';

/** What the first requests to a target found. */
export interface Preflight {
  /** The profile without the hooks that did not answer. */
  readonly profile: Profile;
  /** Chat models that are enabled for K1 and in the catalogue. */
  readonly models: readonly string[];
  /**
   * Image, video and audio models that are enabled for K1; empty where the list of models shows that there are
   * none.
   */
  readonly mediaModels: readonly string[];
  /** Hooks that the profile names but that do not answer, each with the reason. */
  readonly lost: readonly string[];
}

/**
 * Tests a target before anything is judged: whether it answers, accepts the key, and has working hooks. It sends
 * two free requests: a list of models and an empty chat request. With a usage or ledger hook it also makes one short
 * call, to see whether its record can be found.
 * @throws UnreachableError when nothing answers, or when the answering server has none of the paths.
 * @throws UsageError when the key is refused.
 */
export async function preflight(profile: Profile): Promise<Preflight> {
  const client = createWireClient(profile);
  try {
    const [list, chat] = await Promise.all([ask(client, profile, 'GET'), ask(client, profile, 'POST')]);
    assertAnswers(profile, list, chat);
    const [hooks, receiver] = await Promise.all([pingHooks(profile), pingReceivers(profile)]);
    const answering = { ...hooks.kept, webhooks: receiver.kept.webhooks };
    const enabled = enabledModels(profile, list);
    const named = await pingRecords(answering, client, enabled.models);
    return { profile: named.kept, lost: [...hooks.lost, ...receiver.lost, ...named.lost], ...enabled };
  } finally {
    await client.close();
  }
}

function ask(client: WireClient, profile: Profile, method: 'GET' | 'POST'): Promise<Exchange> {
  const key = profile.lanes[0]?.keys.K1 ?? profile.keys.K1;
  const headers = { authorization: `Bearer ${key}` };
  const timeoutMs = Math.min(profile.timeouts.answer_ms, 15_000);
  return method === 'GET'
    ? client.send({ method, path: '/api/v1/models', headers, timeoutMs })
    : client.send({ method, path: '/api/v1/chat/completions', headers, body: {}, timeoutMs });
}

function assertAnswers(profile: Profile, list: Exchange, chat: Exchange): void {
  const statuses = [list.response?.status, chat.response?.status];
  if (list.response === null && chat.response === null) {
    throw new UnreachableError(`nothing to judge at ${profile.base_url}: ${chat.error ?? outcomeOf(chat)}`);
  }
  if (statuses.every((status) => status === 401 || status === 403)) {
    const { code } = (jsonOf(chat) as { error?: { code?: unknown } } | undefined)?.error ?? {};
    const said = typeof code === 'string' ? `, ${code}` : '';
    throw new UsageError(
      `${profile.base_url} refuses the key (HTTP ${statuses.join(' and ')}${said}): give a valid one with --key or as keys.K1 of the profile`,
    );
  }
  if (
    statuses.every(
      (status) => status === 404 || status === 405 || (status !== undefined && status >= 300 && status < 400),
    )
  ) {
    throw new UnreachableError(
      `${profile.base_url} answers, but not with this interface (HTTP ${statuses.join(' and ')} on its paths): check the base URL`,
    );
  }
}

function enabledModels(profile: Profile, list: Exchange): Pick<Preflight, 'models' | 'mediaModels'> {
  const named = profile.models.enabled ?? stringsIn(jsonOf(list));
  const among = (catalogue: readonly { id: string }[]): string[] =>
    catalogue.map(({ id }) => id).filter((id) => named.includes(id));
  const [models, media] = [among(chatCatalogue), among(mediaModels)];
  // An unusable list is judged by the checks later. They still need some model to work with.
  return {
    models: models.length > 0 ? models : chatCatalogue.map(({ id }) => id),
    mediaModels: models.length + media.length > 0 ? media : mediaModels.map(({ id }) => id),
  };
}

/** Every string value under the keys that lists of models use (reading B-46). */
function stringsIn(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => (typeof item === 'string' ? [item] : stringsIn(item)));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === 'string' ? (['id', 'model', 'name'].includes(name) ? [item] : []) : stringsIn(item),
  );
}
