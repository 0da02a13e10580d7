import type { Exchange } from '../wire/exchange.ts';
import type { Spoken } from './ask-interface.ts';
import { deploymentRoutes } from './deployment-paths.ts';
import { foundErrors, shownError, speaksOurWords } from './found-errors.ts';
import { foundKeys } from './found-keys.ts';
import { guessedRoles, isChatName, isVideoName } from './guess-roles.ts';
import type { Seen } from './look-at-interface.ts';
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
    dialect.routes = prefix.includes('{model}')
      ? deploymentRoutes(prefix)
      : {
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
  const errors = {
    ...(!isOurs && spoken !== 'core' && { members: nativeMembers[spoken] }),
    ...(isOurs ? {} : foundErrors(refusals, elsewhere, spoken)),
  };
  if (Object.keys(errors).length > 0) {
    dialect.errors = errors;
    why.push(
      `errors: taken from its answers to an unknown model, a wrong field, an unknown key and an unknown path`,
    );
  }
  const taskFields = offers.tasks?.endsWith('/videos') ? usualVideo : usualTask;
  const fields: Record<string, object> = dialect.tasks === undefined ? {} : { tasks: taskFields };
  if ('in_success' in errors)
    why.push('errors: refusals have HTTP 200, and the body alone says what they are');
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
  if (!isOurs && spoken === 'core')
    why.push(
      'absent: these routes answer 404. compat.b is a guess: it was not tried, so remove it if you have it',
    );
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

/** The members of a videos interface whose seconds are texts, and whose files are read under the path of the video. */
const usualVideo = {
  request: { duration: 'seconds', image_url: 'input_reference', webhook_url: null },
  answer: { task_id: 'id', duration_sec: 'seconds', submit_time: null, result_urls: null },
  texts: ['duration', 'duration_sec'],
};

/** Whether a refusal names max_tokens as what it does not know; some quote the whole request beside it. */
function refusesMaxTokens(refusal: Exchange | undefined): boolean {
  const text = refusal?.response?.body.toString('utf8').replaceAll(/"max_tokens\W{1,4}1\b/g, '') ?? '';
  return (
    /max_tokens/.test(text) &&
    /un(?:known|supported|recognized|expected)|extra|\bnot\b|max_completion/i.test(text)
  );
}
