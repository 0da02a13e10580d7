import { type ErrorCode, errorTable, isErrorCode } from '../oracle/error-table.ts';
import { isJsonObject } from '../values/json.ts';
import { type Exchange, jsonOf, mediaType } from '../wire/exchange.ts';
import type { Spoken } from './ask-interface.ts';
import { foundKeys } from './found-keys.ts';
import { guessedRoles, isChatName, isVideoName } from './guess-roles.ts';
import type { Provocation, Seen } from './look-at-interface.ts';
import { assumptionsOf } from './role-assumptions.ts';

/** Profile sections that map an API to the specification, with the reason for each line. */
export interface FoundDialect {
  readonly sections: Readonly<Record<string, unknown>>;
  readonly why: readonly string[];
}

/** Products by a header that they send with each answer. */
const products: readonly (readonly [name: string, header: RegExp])[] = [
  ['litellm', /^x-litellm-/i],
  ['portkey', /^x-portkey-/i],
  ['bifrost', /^x-bifrost-|^x-bf-/i],
];

/** The dialect that comes nearest, by the protocol. */
const dialects: Readonly<Record<Spoken, string>> = {
  core: 'openai',
  'compat-a': 'anthropic',
  'compat-b': 'gemini',
};

const protocolNames = { 'compat-a': 'messages', 'compat-b': 'generate-content' } as const;

/** The members of errors of native protocols. */
const nativeMembers = {
  'compat-a': { code: null, param: null },
  'compat-b': { type: null, code: 'status', param: null },
} as const;

/** The family of the roles that a native protocol serves. */
const families: Readonly<Partial<Record<Spoken, string>>> = { 'compat-a': 'beta', 'compat-b': 'gamma' };

/** The code that the specification has for each provocation. */
const meant: Readonly<Record<Provocation, ErrorCode>> = {
  empty: 'invalid_param',
  field: 'invalid_param',
  model: 'model_not_found',
  key: 'invalid_api_key',
  keyless: 'invalid_api_key',
};

/** The dialect of an API, derived from its answers; no section if it follows the specification. */
export function dialectOf(seen: Seen): FoundDialect {
  const why: string[] = [];
  const { prefix, spoken, refusals, elsewhere, offers } = seen;
  const isOurs = Object.values(refusals).some(speaksOurWords);
  const [product] = products.find(([, header]) => seen.headers.some(([name]) => header.test(name))) ?? [];
  const extended = product ?? (isOurs ? undefined : dialects[spoken]);
  if (extended !== undefined)
    why.push(
      product === undefined
        ? `extends ${extended}: its errors differ from the specification (${shownError(refusals)})`
        : `extends ${extended}: answers have a header of this product`,
    );
  const dialect: Record<string, unknown> = extended === undefined ? {} : { extends: extended };
  // A dialect that it extends may have other routes, also where its own are those of the specification.
  if (extended !== undefined || prefix !== '/api/v1') {
    const compatA = offers['compat-a']?.replace(/\/messages$/, '');
    dialect.routes = {
      '/api/v1': prefix,
      ...(compatA && { '/compat-a/v1': compatA }),
      ...(spoken === 'compat-b' && { '/compat-b/v1beta': prefix }),
    };
    why.push(`routes: it answers at ${prefix || '/'}`);
  }
  if (spoken !== 'core')
    why.push(`absent: chat; it speaks ${protocolNames[spoken]} without chat completions`);
  const { keys, why: ofKeys } = foundKeys(seen);
  if (Object.keys(keys).length > 0) dialect.keys = keys;
  why.push(...ofKeys);
  const roles = rolesOf(seen);
  if (roles.length > 0) {
    const { notOnChat, listed } = seen;
    dialect.models = Object.fromEntries(
      roles.map(([own, like]) => [
        own,
        { like, ...listed.get(own), ...(notOnChat.includes(own) && { absent: ['chat'] }) },
      ]),
    );
    why.push(...reasonsOf(roles, seen));
  }
  if (offers.tasks?.endsWith('/tasks') === false) {
    dialect.tasks = { submit: offers.tasks, read: `${offers.tasks}/{id}`, states: usualStates };
    why.push('tasks: its path answers; states, and members in fields, are guessed: correct them');
  }
  const codes = isOurs ? {} : seenCodes(refusals, spoken);
  const errors = {
    ...(!isOurs && spoken !== 'core' && { members: nativeMembers[spoken] }),
    ...(isOurs ? {} : otherShapes([...Object.values(refusals), ...elsewhere])),
    ...(Object.keys(codes).length > 0 && { codes }),
  };
  if (Object.keys(errors).length > 0) {
    dialect.errors = errors;
    why.push(
      `errors: taken from its answers to an unknown model, a wrong field, an unknown key and an unknown path`,
    );
  }
  const fields: Record<string, object> = dialect.tasks === undefined ? {} : { tasks: usualTask };
  if (refusesMaxTokens(refusals.field)) {
    fields.chat = { request: { max_tokens: 'max_completion_tokens' } };
    why.push('fields: it refuses max_tokens; correct the other name if it is not max_completion_tokens');
  }
  if (Object.keys(fields).length > 0) dialect.fields = fields;
  if (seen.callsPerMinute !== null)
    why.push(`http.calls_per_minute: an answer names this limit, so a run sends no more`);
  const absent = [
    ...(spoken === 'core' ? [] : ['chat']),
    ...(['images', 'tasks'] as const).filter((name) => offers[name] === null),
    ...(offers.tasks === null ? ['webhooks'] : []),
    ...(offers['compat-a'] === null ? ['compat.a'] : []),
    ...(spoken === 'compat-b' ? [] : ['compat.b']),
    ...(seen.lacksAdmin ? ['admin.routes'] : []),
  ];
  if (!isOurs && spoken === 'core') why.push('absent: these routes answer 404; compat.b was not tried');
  return {
    why,
    sections: {
      ...(Object.keys(dialect).length > 0 && { dialect }),
      ...(!isOurs && { absent }),
      ...(seen.callsPerMinute !== null && { http: { calls_per_minute: seen.callsPerMinute } }),
    },
  };
}

/** The models to judge, each with its role: those of chat, and videos where tasks are offered. */
function rolesOf({ models, areChosen, offers, spoken }: Seen): [own: string, like: string][] {
  const judged = models.filter((id) => isChatName(id) || (offers.tasks !== null && isVideoName(id)));
  return guessedRoles(areChosen || judged.length === 0 ? models : judged, families[spoken]);
}

/** Why the models have these roles. */
function reasonsOf(
  roles: readonly (readonly [string, string])[],
  { models, listed, notOnChat }: Seen,
): string[] {
  const names = roles.map(([own]) => own);
  const left = models.filter((id) => !names.includes(id));
  return [
    ...(roles.every(([own, like]) => own === like)
      ? ['models: those that it lists; the other models of the catalogue are absent']
      : assumptionsOf(roles, listed)),
    ...(notOnChat.length === 0
      ? []
      : [`models: chat completions refuse ${notOnChat.join(', ')}, so only messages are judged with them`]),
    ...(left.length === 0 ? [] : [`models: left out, because of their names: ${left.join(', ')}`]),
  ];
}

/** The words that deployments use for the states of a task. */
const usualStates = {
  QUEUED: ['queued', 'pending', 'submitted', 'waiting'],
  RUNNING: ['running', 'in_progress', 'processing'],
  SUCCESS: ['completed', 'succeeded', 'success', 'done'],
  FAILED: ['failed', 'error', 'cancelled'],
  EXPIRED: null,
};

/** The members of tasks that other deployments have most often. */
const usualTask = {
  request: { webhook_url: null },
  answer: { task_id: 'id', submit_time: null, result_urls: 'output.url' },
};

/** Codes that other dialects have, too. */
const sharedCodes: readonly unknown[] = ['invalid_api_key', 'model_not_found'];

function speaksOurWords(refusal: Exchange | undefined): boolean {
  const { code, channel } = errorOf(refusal) ?? {};
  return isErrorCode(String(code)) && (channel !== undefined || !sharedCodes.includes(code));
}

/** Members that hold the message of errors without an error object, as web frameworks send them. */
const messageMembers = ['detail', 'message', 'msg', 'title'] as const;

/** The further shapes of errors: those without an `error`, as `errors.also` has them, and text. */
function otherShapes(refused: readonly Exchange[]): { also?: object[]; text?: true } {
  const answers = refused.filter(({ response }) => (response?.status ?? 0) >= 400);
  const bodies = answers.flatMap((exchange) => {
    const body = jsonOf(exchange);
    return isJsonObject(body) && !Object.hasOwn(body, 'error') ? [body] : [];
  });
  const names = bodies.flatMap((body) => messageMembers.find((name) => Object.hasOwn(body, name)) ?? []);
  const inner = bodies.flatMap((body) => names.flatMap((name) => innerError(body, name)?.object ?? []));
  // The one that holds the name of the wrong field.
  const [param = null] = bodies.flatMap((body) =>
    Object.keys(body).filter((name) => ['model', 'messages', 'max_tokens'].includes(String(body[name]))),
  );
  // The first shape that fits counts, so those within an object of their own stand first.
  const also = [
    ...[...new Set(inner)].map((object) => ({ object, members: { channel: null } })),
    ...[...new Set(names)].map((message) => ({
      object: null,
      members: { message, type: null, code: null, param, channel: null },
    })),
  ];
  const isText = answers.some((exchange) => mediaType(exchange) === 'text/plain');
  return { ...(also.length > 0 && { also }), ...(isText && { text: true }) };
}

/** Whether a refusal names max_tokens as what it does not know; some quote the whole request beside it. */
function refusesMaxTokens(refusal: Exchange | undefined): boolean {
  const text = refusal?.response?.body.toString('utf8').replaceAll(/"max_tokens\W{1,4}1\b/g, '') ?? '';
  return (
    /max_tokens/.test(text) &&
    /un(?:known|supported|recognized|expected)|extra|\bnot\b|max_completion/i.test(text)
  );
}

/** Codes with the signs of each provoked error, where they differ from the specified ones. */
function seenCodes(refusals: Seen['refusals'], spoken: Spoken): Record<string, object> {
  const signs = (Object.entries(refusals) as [Provocation, Exchange][]).flatMap(([name, exchange]) => {
    const sign = signOf(name, exchange, spoken);
    return sign === null ? [] : [[meant[name], sign] as const];
  });
  const isAlone = ([code, sign]: (typeof signs)[number]): boolean =>
    signs.every(([other, its]) => other === code || JSON.stringify(its) !== JSON.stringify(sign));
  const byCode = Map.groupBy(signs.filter(isAlone), ([code]) => code);
  return Object.fromEntries(
    [...byCode].flatMap(([code, own]) => {
      if (own.every(([, { status }]) => status === errorTable[code].status)) return [];
      const all = [...new Set(own.map(([, sign]) => JSON.stringify(sign)))].map((sign) => JSON.parse(sign));
      return [[code, all.length === 1 ? all[0] : all]];
    }),
  );
}

/** The signs of a provoked error; null where it has none. */
function signOf(
  name: Provocation,
  exchange: Exchange,
  spoken: Spoken,
): { readonly status: number; readonly message?: string } | null {
  const status = exchange.response?.status ?? 0;
  const error = errorOf(exchange);
  const isOfKey = meant[name] === 'invalid_api_key';
  if (status < 400 || status >= 500) return null;
  // Where an error is a text alone, its status is a sign of the key if no field is refused with it.
  if (error === null) return isOfKey ? { status } : null;
  const { type, code } = error;
  // Some refuse a key by the status of a wrong field; then only the message distinguishes the two.
  const isOdd = isOfKey && status !== 401 && status !== 403;
  const [message] = (isOdd && /api[ _-]?key|credential|token/i.exec(String(error.message))) || [];
  return {
    status,
    ...(spoken !== 'compat-b' && typeof type === 'string' && { type }),
    ...(spoken === 'core' && isPlain(code) && { code }),
    ...(message && { message }),
  };
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function errorOf(exchange: Exchange | undefined): Record<string, unknown> | null {
  const body = exchange === undefined ? null : jsonOf(exchange);
  if (!isJsonObject(body)) return null;
  if (isJsonObject(body.error)) return body.error;
  return messageMembers.map((name) => innerError(body, name)).find((found) => found !== null)?.error ?? null;
}

/** An error within the member that a web framework has for its message, and where it is. */
function innerError(
  body: Record<string, unknown>,
  name: string,
): { readonly object: string; readonly error: Record<string, unknown> } | null {
  const held = body[name];
  if (!isJsonObject(held)) return null;
  if (isJsonObject(held.error)) return { object: `${name}.error`, error: held.error };
  return typeof held.message === 'string' ? { object: name, error: held } : null;
}

const provoked: Readonly<Record<Provocation, string>> = {
  model: 'an unknown model',
  field: 'a wrong field',
  empty: 'an empty body',
  key: 'an unknown key',
  keyless: 'no key',
};

/** A successful answer shows nothing about errors. */
function shownError(refusals: Seen['refusals']): string {
  const names = Object.keys(provoked) as Provocation[];
  const name = names.find((one) => (refusals[one]?.response?.status ?? 0) >= 400) ?? 'model';
  const status = refusals[name]?.response?.status ?? 'none';
  const error = errorOf(refusals[name]);
  const members = (['type', 'code'] as const).map((one) => `${one} ${JSON.stringify(error?.[one] ?? null)}`);
  const shape = error === null ? 'without an error object' : members.join(', ');
  return `${provoked[name]}: HTTP ${status}, ${shape}`;
}
