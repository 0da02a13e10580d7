import { prefixIn } from '../profile/key-prefix.ts';
import type { Profile } from '../profile/profile.ts';
import { idsIn } from '../runner/what-answers.ts';
import { isJsonObject } from '../values/json.ts';
import { createWireClient } from '../wire/client.ts';
import { type Exchange, isSuccess, jsonOf } from '../wire/exchange.ts';
import { Asking, callOf, corePath, type KeyPlace, pathOf, type Spoken, statusOf } from './ask-interface.ts';
import { deploymentPlaceOf, namedDeployment } from './deployment-paths.ts';
import { isErrorInSuccess } from './error-answers.ts';
import { isVideoName } from './guess-roles.ts';
import { type ListedFacts, listedFacts } from './listed-facts.ts';
import { notOnChat } from './not-on-chat.ts';

/** Facts about an undescribed API from free requests. */
export interface Seen {
  /** The address without the prefix of its routes. */
  readonly baseUrl: string;
  /** The prefix of its list of models, and of its calls. */
  readonly prefix: string;
  /** The protocol of its calls. */
  readonly spoken: Spoken;
  /** The place that took the key. */
  readonly keyPlace: KeyPlace;
  /** How its key begins; null without a prefix, undefined where it begins as specified. */
  readonly keyPrefix: string | null | undefined;
  readonly models: readonly string[];
  /** Whether the user named the models. */
  readonly areChosen: boolean;
  /** The models that only the messages protocol serves. */
  readonly notOnChat: readonly string[];
  /** What its list says of models, by id. */
  readonly listed: ReadonlyMap<string, ListedFacts>;
  /** Its limit of calls; null where no answer names one. */
  readonly callsPerMinute: number | null;
  /** Its refusals, by the fault of the request. */
  readonly refusals: Readonly<Partial<Record<Provocation, Exchange>>>;
  /** What it says at other paths below its prefix, most of them not there. */
  readonly elsewhere: readonly Exchange[];
  /** The path of each further endpoint; null if absent. */
  readonly offers: Readonly<Record<Endpoint, string | null>>;
  /** Whether it has no routes below /api/admin/, as far as a free request shows. */
  readonly lacksAdmin: boolean;
  /** Whether the messages protocol rejects `x-api-key`, and may accept the key in the core path's header. */
  readonly sharesKeyHeader: boolean;
  readonly headers: Exchange['request']['headers'];
  readonly requests: number;
}

export type Provocation = 'empty' | 'model' | 'field' | 'key' | 'keyless';
const furtherEndpoints = ['images', 'tasks', 'compat-a'] as const;
type Endpoint = (typeof furtherEndpoints)[number];

/** Where the core routes are, by the first answer that showed it. */
interface Place extends Pick<Seen, 'prefix' | 'keyPlace' | 'models'> {
  readonly first: Exchange;
  /** The refusal of an empty chat, where that was the first answer. */
  readonly empty?: Exchange;
  /** The native protocol that is alone there; absent where it may be any. */
  readonly spoken?: Spoken;
}

/** How many free requests are sent at most, and how many of them after the search for models of messages alone. */
const mostRequests = 15;
const callsAfter = 5;
/** How many are still to come after the first further endpoint. */
const callsNeeded = 7;

/** The usual places of core routes, the most frequent first. */
const prefixes = ['/api/v1', '/v1', '/openai/v1', '/api/openai/v1', ''] as const;

/** The usual places of a native protocol that is alone, with the place of its key. */
const natives = [
  ['/anthropic/v1', 'x-api-key', 'compat-a'],
  ['/v1beta', 'query', 'compat-b'],
  ['/v1beta', 'x-goog-api-key', 'compat-b'],
  ['/gemini/v1beta', 'query', 'compat-b'],
] as const;

/** Where the further endpoints usually are, by the prefix of the core routes. */
const endpoints: Readonly<Record<Endpoint, (prefix: string) => string>> = {
  images: (prefix) => corePath(prefix, '', '/images/generations'),
  tasks: (prefix) => `${prefix}/tasks`,
  'compat-a': (prefix) => (prefix === '/api/v1' ? '/compat-a/v1/messages' : `${prefix}/messages`),
};

/** Other places of tasks, which are tried where models make videos by their names. */
const videoPaths = ['/videos', '/videos/generations', '/video/generations'];

/**
 * Requests model lists at the usual paths, then sends requests that are refused for free: at most fifteen in total. Resolves
 * with null if no path lists models or refuses an empty chat.
 * @param chosen models to judge instead of the listed ones
 * @param inVain called with all answers where they show nothing
 */
export async function lookAtInterface(
  profile: Profile,
  chosen: readonly string[] = [],
  inVain: (answers: readonly Exchange[]) => void = () => undefined,
): Promise<Seen | null> {
  const deployed = namedDeployment(profile.base_url);
  const { base, tail } =
    deployed === null ? splitBase(profile.base_url) : { base: deployed.base, tail: null };
  const model = deployed?.model ?? chosen[0] ?? null;
  const client = createWireClient({ ...profile, base_url: base });
  const asking = new Asking(client, profile);
  try {
    const named = natives.filter(([prefix]) => prefix === tail);
    const place =
      deployed === null
        ? ((await nativePlaceOf(asking, named)) ?? (await placeOf(asking, base, tail)))
        : await deploymentPlaceOf(asking, { ...deployed, model });
    if (place === null) inVain(asking.answers);
    if (place === null) return null;
    const models = chosen.length > 0 ? chosen : place.models;
    const { closed, elsewhere, offers, sharesKeyHeader } = await offersAt(asking, place);
    const { spoken, empty } = await spokenAt(asking, place, { offers, closed });
    const unknown = await refusalOfUnknown(asking, { ...place, spoken });
    const native =
      spoken === 'core' && offers['compat-a'] !== null && asking.requests < mostRequests - callsAfter
        ? await notOnChat(asking, models, { ...place, unknown })
        : [];
    const callable = models.find((id) => !native.includes(id));
    const others = await refusalsOf(asking, { ...place, model: callable ?? models[0] ?? 'none', spoken });
    const refusals = { ...(empty && { empty }), model: unknown, ...others };
    const admin = asking.requests < mostRequests ? await asking.get('/api/admin/x', place.keyPlace) : null;
    const headers = [place.first, ...Object.values(refusals)].flatMap((one) => one.response?.headers ?? []);
    const { prefix, keyPlace } = place;
    const listed = listedFacts(jsonOf(place.first));
    return {
      ...{ baseUrl: base, prefix, spoken, keyPlace, models, listed, refusals },
      areChosen: chosen.length > 0,
      notOnChat: native,
      keyPrefix: prefixIn(profile.keys.K1),
      lacksAdmin:
        admin === null
          ? // Where it was not tried, an unknown path beside it says as much.
            asking.answers.some((one) => /\/api\/v1\/models$/.test(one.request.url) && statusOf(one) === 404)
          : isNoRoute(admin, isErrorInSuccess(admin) ? closed : []),
      callsPerMinute: asking.callsPerMinute,
      ...{ elsewhere, offers, sharesKeyHeader, headers, requests: asking.requests },
    };
  } finally {
    await client.close();
  }
}

async function placeOf(asking: Asking, base: string, tail: string | null): Promise<Place | null> {
  // An address with a path of its own may be that of the routes.
  const given = tail === null && new URL(base).pathname !== '/' ? '' : tail;
  const places = [...new Set([...(given === null ? [] : [given]), ...prefixes])];
  const failing: Place[] = [];
  const refusing: string[] = [];
  for (const keyPlace of ['authorization', 'x-api-key', 'api-key'] as const)
    for (const prefix of keyPlace === 'authorization' ? places : refusing.slice(0, 2)) {
      // Where several places refuse the key, another header has it.
      if (keyPlace === 'authorization' && refusing.length > 2) break;
      const list = await asking.get(`${prefix}/models`, keyPlace);
      const models = isSuccess(list) ? idsIn(jsonOf(list)) : [];
      const place = { prefix, keyPlace, models, first: list };
      if (models.length > 0) return place;
      if (keyPlace === 'authorization' && [401, 403].includes(statusOf(list))) refusing.push(prefix);
      if (statusOf(list) >= 500 && isJsonObject(jsonOf(list))) failing.push(place);
    }
  if (failing[0] !== undefined) return failing[0];
  const deployed = await deploymentPlaceOf(asking);
  if (deployed !== null) return deployed;
  for (const prefix of refusing.length > 0 ? [] : places.slice(0, 2)) {
    const empty = await asking.post(pathOf('core', prefix, ''), {}, 'authorization');
    if ([400, 422].includes(statusOf(empty)) && isJsonObject(jsonOf(empty)) && !isAboutKey(empty))
      return { prefix, keyPlace: 'authorization', models: [], first: empty, empty };
  }
  return nativePlaceOf(asking, natives);
}

/** The first of these places that lists models of a native protocol alone. */
async function nativePlaceOf(
  asking: Asking,
  among: readonly (typeof natives)[number][],
): Promise<Place | null> {
  for (const [prefix, keyPlace, spoken] of among) {
    const list = await asking.get(`${prefix}/models`, keyPlace);
    const models = isSuccess(list) ? nativeIds(jsonOf(list)) : [];
    if (models.length > 0) return { prefix, keyPlace, models, first: list, spoken };
  }
  return null;
}

/** Whether a refusal is about the key, which another header may have to carry. */
function isAboutKey({ response }: Exchange): boolean {
  return /\bapi[ _-]?key\b/i.test(response?.body.toString('utf8') ?? '');
}

/** The ids of a native list: generate-content writes them as `models/{id}`, beside a name for readers. */
function nativeIds(list: unknown): string[] {
  const items: unknown[] = isJsonObject(list) ? [list.models, list.data].flat() : [];
  return items.flatMap((item) => {
    const { id, name } = isJsonObject(item) ? item : {};
    const own = id ?? name;
    return typeof own === 'string' ? [own.replace(/^models\//, '')] : [];
  });
}

/** The protocol of a place, and its refusal of an empty call where that has shown it. */
async function spokenAt(
  asking: Asking,
  { prefix, keyPlace, ...place }: Place,
  { offers, closed }: Pick<Offered, 'offers' | 'closed'>,
): Promise<{ readonly spoken: Spoken; readonly empty: Exchange | null }> {
  if (place.spoken !== undefined) return { spoken: place.spoken, empty: null };
  const empty = place.empty ?? (await asking.post(pathOf('core', prefix, ''), {}, keyPlace));
  const isNative = isNoRoute(empty, closed) && offers['compat-a'] !== null;
  return isNative ? { spoken: 'compat-a', empty: null } : { spoken: 'core', empty };
}

/** The further endpoints, and the answers that show which paths are not there. */
interface Offered extends Pick<Seen, 'elsewhere' | 'offers' | 'sharesKeyHeader'> {
  readonly closed: readonly Exchange[];
}

async function offersAt(asking: Asking, { prefix, keyPlace, spoken, models }: Place): Promise<Offered> {
  const [closed, elsewhere]: [Exchange[], Exchange[]] = [[], []];
  const offers: Record<Endpoint, string | null> = { 'compat-a': null, images: null, tasks: null };
  let sharesKeyHeader = false;
  if (spoken === 'compat-a') offers['compat-a'] = pathOf(spoken, prefix, '');
  if (spoken !== undefined) return { closed, elsewhere, offers, sharesKeyHeader };
  // Beside deployments in paths, there are neither tasks nor native messages.
  for (const name of prefix.includes('{model}') ? (['images'] as const) : furtherEndpoints) {
    const others = name === 'tasks' && models.some(isVideoName) ? videoPaths : [];
    for (const [at, path] of [endpoints[name](prefix), ...others.map((one) => prefix + one)].entries()) {
      if (offers[name] !== null) break;
      const answer = await asking.post(path, {}, keyPlace);
      elsewhere.push(answer);
      // Under HTTP 200, an unknown path shows itself by the same words as one that is certainly unknown.
      if (isErrorInSuccess(answer) && closed.length === 0 && asking.requests < mostRequests - callsNeeded)
        closed.push(await asking.post(`${prefix}/zz-no-such-path`, {}, keyPlace));
      const isCompared = name === 'compat-a' || at > 0 || isErrorInSuccess(answer);
      if (isNoRoute(answer, isCompared ? closed : [])) closed.push(answer);
      else if (![0, 501].includes(statusOf(answer))) offers[name] = path;
    }
    const path = offers[name];
    if (name === 'compat-a' && path !== null && keyPlace === 'authorization')
      sharesKeyHeader = statusOf(await asking.post(path, {}, 'x-api-key')) === 401;
  }
  return { closed, elsewhere, offers, sharesKeyHeader };
}

/**
 * Whether an answer shows that a path is not there. A route may also say that it has not found the model, in other words than
 * the server has for unknown paths.
 */
function isNoRoute(answer: Exchange, closed: readonly Exchange[]): boolean {
  const isInSuccess = isErrorInSuccess(answer);
  if (!isInSuccess && ![404, 405].includes(statusOf(answer))) return false;
  return (!isInSuccess && closed.length === 0) || closed.some((one) => wordsOf(one) === wordsOf(answer));
}

/** An answer without what differs from path to path, or from request to request. */
function wordsOf({ request, response }: Exchange): string {
  const path = new URL(request.url).pathname;
  const text = response?.body.toString('utf8') ?? '';
  return text.replaceAll(path, '').replaceAll(/[\da-f-]{8,}|\d+/gi, '');
}

function refusalOfUnknown(
  asking: Asking,
  { prefix, keyPlace, spoken }: Pick<Seen, 'prefix' | 'keyPlace' | 'spoken'>,
): Promise<Exchange> {
  const { path, body } = callOf(spoken, prefix, { model: 'zz-no-such-model', isWrong: false });
  return asking.post(path, body, keyPlace);
}

async function refusalsOf(
  asking: Asking,
  {
    prefix,
    keyPlace,
    model,
    spoken,
  }: Pick<Seen, 'prefix' | 'keyPlace' | 'spoken'> & { readonly model: string },
): Promise<Partial<Record<Provocation, Exchange>>> {
  const send = (call: ReturnType<typeof callOf>, key?: string): Promise<Exchange> =>
    asking.post(call.path, call.body, keyPlace, key);
  const right = callOf(spoken, prefix, { model, isWrong: false });
  return {
    field: await send(callOf(spoken, prefix, { model, isWrong: true })),
    key: await send(right, 'sk-app-none'),
    keyless: await asking.post(right.path, right.body, null),
  };
}

/** The endpoints of calls, which an address may be given with. */
const endpoint =
  /\/(?:(?:chat\/)?completions|messages|responses|images\/generations|models(?:\/[^/]+(?::\w+)?)?)$/;

/** An address may be given with the prefix of its core routes, and with an endpoint below it. */
function splitBase(url: string): { readonly base: string; readonly tail: string | null } {
  const text = url.replace(/\/+$/, '').replace(endpoint, '');
  const [tail = null] = /(?:(?:\/api|\/openai|\/api\/openai)?\/v1|(?:\/gemini)?\/v1beta)$/.exec(text) ?? [];
  return tail === null ? { base: text, tail } : { base: text.slice(0, -tail.length), tail };
}
