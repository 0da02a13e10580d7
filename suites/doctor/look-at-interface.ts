import type { Profile } from '../profile/profile.ts';
import { idsIn } from '../runner/what-answers.ts';
import { isJsonObject } from '../values/json.ts';
import { createWireClient } from '../wire/client.ts';
import { type Exchange, isSuccess, jsonOf } from '../wire/exchange.ts';

/** Facts about an undescribed API from free requests. */
export interface Seen {
  /** The address without the prefix of its core routes. */
  readonly baseUrl: string;
  /** The prefix of `/models` and `/chat/completions`. */
  readonly prefix: string;
  /** The header that took the key. */
  readonly keyHeader: 'authorization' | 'x-api-key';
  readonly models: readonly string[];
  /** Its refusals, by the fault of the request. */
  readonly refusals: Readonly<Partial<Record<Provocation, Exchange>>>;
  /** What it says of paths below its prefix that are not there. */
  readonly closed: readonly Exchange[];
  /** The path of each further endpoint; null if absent. */
  readonly offers: Readonly<Record<Endpoint, string | null>>;
  /** Whether the messages protocol rejects `x-api-key`, and may accept the key in the core path's header. */
  readonly sharesKeyHeader: boolean;
  readonly headers: Exchange['request']['headers'];
  readonly requests: number;
}

export type Provocation = 'empty' | 'model' | 'field' | 'key';
type Endpoint = 'compat-a' | 'images' | 'tasks';

/** Where the core routes are, by the first answer that showed it. */
interface Place extends Pick<Seen, 'prefix' | 'keyHeader' | 'models'> {
  readonly first: Exchange;
  /** The refusal of an empty chat, where that was the first answer. */
  readonly empty?: Exchange;
}

/** The usual places of core routes, the most frequent first. */
const prefixes = ['/api/v1', '/v1', '/openai/v1', '/api/openai/v1', ''] as const;

/** Where the further endpoints usually are, by the prefix of the core routes. */
const endpoints: Readonly<Record<Endpoint, (prefix: string) => readonly string[]>> = {
  'compat-a': (prefix) => (prefix === '/api/v1' ? ['/compat-a/v1/messages'] : [`${prefix}/messages`]),
  images: (prefix) => [`${prefix}/images/generations`],
  tasks: (prefix) => [`${prefix}/tasks`],
};

/**
 * Requests model lists at the usual paths, then sends requests that are refused for free: at most fifteen in total. Resolves
 * with null if no path lists models or refuses an empty chat.
 * @param named models to judge instead of the listed ones
 */
export async function lookAtInterface(profile: Profile, named: readonly string[] = []): Promise<Seen | null> {
  const { base, tail } = splitBase(profile.base_url);
  const client = createWireClient({ ...profile, base_url: base });
  let requests = 0;
  const send = (
    method: string,
    path: string,
    key: Record<string, string>,
    body?: object,
  ): Promise<Exchange> => {
    requests += 1;
    const timeoutMs = Math.min(profile.timeouts.answer_ms, 15_000);
    return client.send({ method, path, headers: key, timeoutMs, ...(body && { body }) });
  };
  const keys = {
    authorization: { authorization: `Bearer ${profile.keys.K1}` },
    'x-api-key': { 'x-api-key': profile.keys.K1 },
  } as const;
  const found = async () => {
    const places = [...new Set([...(tail === null ? [] : [tail]), ...prefixes])];
    const failing: Place[] = [];
    let refusesKey = false;
    for (const keyHeader of ['authorization', 'x-api-key'] as const)
      for (const prefix of keyHeader === 'authorization' ? places : places.slice(0, refusesKey ? 2 : 0)) {
        const list = await send('GET', `${prefix}/models`, keys[keyHeader]);
        const models = isSuccess(list) ? idsIn(jsonOf(list)) : [];
        const place = { prefix, keyHeader, models, first: list };
        if (models.length > 0) return place;
        refusesKey ||= [401, 403].includes(statusOf(list));
        if (statusOf(list) >= 500 && isJsonObject(jsonOf(list))) failing.push(place);
      }
    if (failing[0] !== undefined) return failing[0];
    for (const prefix of refusesKey ? [] : places.slice(0, 3)) {
      const empty = await send('POST', `${prefix}/chat/completions`, keys.authorization, {});
      if ([400, 422].includes(statusOf(empty)) && isJsonObject(jsonOf(empty)))
        return { prefix, keyHeader: 'authorization', models: [], first: empty, empty } as const;
    }
    return null;
  };
  try {
    const place: Place | null = await found();
    if (place === null) return null;
    const { prefix, keyHeader, first } = place;
    const models = named.length > 0 ? named : place.models;
    const chat = (body: object, key: Record<string, string> = keys[keyHeader]): Promise<Exchange> =>
      send('POST', `${prefix}/chat/completions`, key, body);
    const messages = [{ role: 'user', content: 'Hello.' }];
    const refusals = {
      empty: place.empty ?? (await chat({})),
      model: await chat({ model: 'zz-no-such-model', messages }),
      // Where max_tokens has another name, it is refused here, too.
      field: await chat({ model: models[0], max_tokens: 1, messages: 'none' }),
      key: await chat({ model: models[0], messages }, { [keyHeader]: 'Bearer sk-app-none' }),
    };
    let sharesKeyHeader = false;
    const closed: Exchange[] = [];
    const offers: Record<Endpoint, string | null> = { 'compat-a': null, images: null, tasks: null };
    for (const [name, placesOf] of Object.entries(endpoints) as [Endpoint, (typeof endpoints)[Endpoint]][])
      for (const path of placesOf(prefix)) {
        const answer = await send('POST', path, keys[keyHeader], {});
        const status = statusOf(answer);
        if (status === 404) closed.push(answer);
        if (name === 'compat-a' && status === 400)
          sharesKeyHeader = statusOf(await send('POST', path, keys['x-api-key'], {})) === 401;
        if (![0, 404, 405, 501].includes(status)) offers[name] = path;
      }
    const headers = [first, ...Object.values(refusals)].flatMap((one) => one.response?.headers ?? []);
    return {
      baseUrl: base,
      prefix,
      keyHeader,
      models,
      refusals,
      closed,
      offers,
      sharesKeyHeader,
      headers,
      requests,
    };
  } finally {
    await client.close();
  }
}

/** Where generate-content lists models, if it does: such an interface may have no chat completions. */
export async function nativePrefix(profile: Profile): Promise<string | null> {
  const prefix = profile.base_url.endsWith('/v1beta') ? '' : '/v1beta';
  const client = createWireClient(profile);
  try {
    const headers = { 'x-goog-api-key': profile.keys.K1 };
    const body = jsonOf(await client.send({ method: 'GET', path: `${prefix}/models`, headers }));
    const isList = isJsonObject(body) && Array.isArray(body.models) && idsIn(body.models).length > 0;
    return isList ? new URL(profile.base_url + prefix).pathname : null;
  } finally {
    await client.close();
  }
}

/** 0 where there was no answer. */
function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/** An address may be given with the prefix of its core routes. */
function splitBase(url: string): { readonly base: string; readonly tail: string | null } {
  const text = url.replace(/\/+$/, '');
  const [tail = null] = /(?:\/api|\/openai|\/api\/openai)?\/v1$/.exec(text) ?? [];
  return tail === null ? { base: text, tail } : { base: text.slice(0, -tail.length), tail };
}
