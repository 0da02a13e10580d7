import { setTimeout as wait } from 'node:timers/promises';
import { facts } from '../engine/facts.ts';
import { isByCap } from '../engine/foreign-traffic.ts';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { UnreachableError, UsageError } from '../process/exit-codes.ts';
import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import { meant } from '../values/nearest.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import { type Exchange, jsonOf } from '../wire/exchange.ts';
import { clockSkewIn } from './clock-skew.ts';
import { pingHooks } from './ping-hooks.ts';
import { pingReceivers } from './ping-receiver.ts';
import { pingRecords } from './ping-records.ts';
import { assertServedModels } from './served-models.ts';
import { assertAnswers, idsIn } from './what-answers.ts';

/** The findings of the first requests to a target. */
export interface Preflight {
  /** The profile without the hooks that did not answer. */
  readonly profile: Profile;
  /** Chat models that are enabled for K1 and in the catalogue. */
  readonly models: readonly string[];
  /** Image, video and audio models that are enabled for K1; empty when the list of models shows none. */
  readonly mediaModels: readonly string[];
  /** Hooks that the profile names but that do not answer, each with the reason. */
  readonly lost: readonly string[];
  /** The number of requests sent to the deployment. */
  readonly exchanges: number;
  /** How long it took to refuse a free call, ms. */
  readonly latencyMs: number;
  /** How far its clock is ahead of ours by its `Date` headers, ms. */
  readonly clockSkewMs: number;
  /** How many of the requests the cap refused, although the run had no counted call in flight. */
  readonly refusedByCap: number;
}

/** How long other clients may fill the cap of the key before a run gives up, and the wait between two tries, ms. */
const cappedMs = 30_000;
const tryEachMs = 500;

export interface PreflightOptions {
  /** False omits the short paid call, for a plan. */
  readonly pays?: boolean;
  /** Aborts the preflight with an error. */
  readonly signal?: AbortSignal;
}

/**
 * Tests a target before any check: whether it answers, accepts the key, and has working hooks. It sends three free requests:
 * a list of models, and an empty chat request twice. With a usage or ledger hook it also makes one short call, to see whether
 * its record can be found. It asks once for each model of `upstream` that the deployment does not list.
 * @throws UnreachableError when the target is unreachable, or a different API.
 * @throws UsageError when the key is refused, or the profile has unknown names or models.
 */
export async function preflight(
  profile: Profile,
  { pays = true, signal = new AbortController().signal }: PreflightOptions = {},
): Promise<Preflight> {
  const client = createWireClient(profile);
  let [exchanges, refusedByCap] = [0, 0];
  const until = performance.now() + cappedMs;
  const counted: Pick<WireClient, 'send'> = {
    send: async (request) => {
      for (;;) {
        exchanges += 1;
        const exchange = await client.send({ signal, ...request });
        // Fewer requests are sent at once than any cap but 1 allows, and separate tenants have no other users.
        if (!isByCap(exchange) || profile.cap.value === 1 || profile.tenants.length > 0) return exchange;
        refusedByCap += 1;
        if (performance.now() > until) throw new UnreachableError(fullCap(profile));
        await wait(tryEachMs);
      }
    },
  };
  try {
    const [list, chat] = await Promise.all([ask(counted, profile, 'GET'), ask(counted, profile, 'POST')]);
    assertAnswers(profile, { list, chat });
    const listed = idsIn(jsonOf(list));
    assertKnownWords(profile, listed);
    await assertServedModels(profile, listed, (model) => ask(counted, profile, 'POST', { model }));
    // The connection is open now, so its set-up does not count as latency.
    const again = await ask(counted, profile, 'POST');
    const latencyMs = Math.min(chat.endedAt - chat.sentAt, again.endedAt - again.sentAt);
    const [hooks, receiver] = await Promise.all([pingHooks(profile), pingReceivers(profile)]);
    const answering = { ...hooks.kept, webhooks: receiver.kept.webhooks };
    const enabled = enabledModels(profile, list);
    const named = await pingRecords(answering, counted, pays ? enabled.models : []);
    const lost = [...hooks.lost, ...receiver.lost, ...named.lost];
    const clockSkewMs = clockSkewIn(again);
    return { profile: named.kept, lost, exchanges, latencyMs, clockSkewMs, refusedByCap, ...enabled };
  } finally {
    await client.close();
  }
}

function fullCap(profile: Profile): string {
  return `nothing to judge at ${declaredUrl(profile)}: the cap has refused each call with the key for ${cappedMs / 1_000} s, before a run could cause that; stop the other clients of its user, or give a key of another one`;
}

/** The longest answer that is read, bytes. A list of models is far shorter, but another kind of server may send anything. */
const maxBytes = 4 * 1024 * 1024;

function ask(
  client: Pick<WireClient, 'send'>,
  profile: Profile,
  method: 'GET' | 'POST',
  body: object = {},
): Promise<Exchange> {
  const key = profile.tenants[0]?.keys.K1 ?? profile.keys.K1;
  const headers = { authorization: `Bearer ${key}` };
  const timeoutMs = Math.min(profile.timeouts.answer_ms, 15_000);
  const limits = { timeoutMs, maxBytes };
  return method === 'GET'
    ? client.send({ method, path: '/api/v1/models', headers, ...limits })
    : client.send({ method, path: '/api/v1/chat/completions', headers, body, ...limits });
}

function enabledModels(profile: Profile, list: Exchange): Pick<Preflight, 'models' | 'mediaModels'> {
  const named = profile.models.enabled ?? idsIn(jsonOf(list));
  const among = (ids: readonly string[]): string[] => ids.filter((id) => named.includes(id));
  const offered = mediaModels.filter(({ endpoint }) => !profile.absent.includes(endpoint));
  const [chats, all] = [chatCatalogue, offered].map((some) => some.map(({ id }) => id)) as [
    string[],
    string[],
  ];
  const [models, media] = [among(chats), among(all)];
  // The checks judge an unusable list later. They still need some model to work with.
  return {
    models: models.length > 0 ? models : chats,
    mediaModels: models.length + media.length > 0 ? media : all,
  };
}

/**
 * Refuses words of a profile that mean nothing: they would silently leave out what they were meant to say.
 * @param listed ids that the deployment lists: it may have models of its own
 * @throws UsageError with each such word and the nearest one that is known
 */
export function assertKnownWords(profile: Profile, listed: readonly string[]): void {
  const models = [
    ...[...chatCatalogue, ...mediaModels].map(({ id }) => id),
    ...profile.chat.extra_models.map(({ id }) => id),
    ...listed,
  ];
  const faults = [
    ...unknownIn('absent', profile.absent, facts),
    ...unknownIn('models.enabled', profile.models.enabled ?? [], models),
    ...unknownIn('models.disabled_for_no_model', [profile.models.disabled_for_no_model ?? []].flat(), models),
    ...unknownIn('chat.json_schema_models', profile.chat.json_schema_models ?? [], models),
    ...unknownIn('chat.media_models', profile.chat.media_models ?? [], models),
  ];
  if (faults.length > 0) throw new UsageError(`unknown names in the profile: ${faults.join('; ')}`);
}

function unknownIn(member: string, words: readonly string[], known: readonly string[]): string[] {
  return words
    .filter((word) => !known.includes(word))
    .map((word) => `${member}: ${word}${meant(word, known)}`);
}
