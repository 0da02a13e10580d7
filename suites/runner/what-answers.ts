import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { errorTable } from '../oracle/error-table.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { UnreachableError, UsageError } from '../process/exit-codes.ts';
import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import { isJsonObject } from '../values/json.ts';
import { connectionAdvice } from '../wire/connection-advice.ts';
import { type Exchange, errorCodeOf, isSuccess, jsonOf, mediaType } from '../wire/exchange.ts';

/** The first two answers of a target: its list of models, and its answer to an empty chat request. */
export interface FirstAnswers {
  readonly list: Exchange;
  readonly chat: Exchange;
}

/** Matches the error of a silent server; other errors are described in the same way as for every connection. */
const silent = /no end within/;

/** Matches the errors of answers that did not end in time, or were far too long. */
const withoutEnd = /no end within|more than \d+ bytes of body/;

const requests = [
  ['list', 'GET /api/v1/models'],
  ['chat', 'POST /api/v1/chat/completions'],
] as const;

/**
 * Separates targets that cannot be judged from those that answer wrongly, before the run begins.
 * @throws UnreachableError when the target is unreachable, or a different API.
 * @throws UsageError when the key is refused.
 */
export function assertAnswers(profile: Profile, answers: FirstAnswers): void {
  const { list, chat } = answers;
  if (list.response === null && chat.response === null) {
    const error = chat.error ?? 'no answer';
    const said = silent.test(error)
      ? `it took the request and did not answer it: raise timeouts.answer_ms if it is slow (${error})`
      : connectionAdvice(error, {
          url: declaredUrl(profile),
          nameAuthority: 'name a file with it by --ca, or as tls.ca in the profile',
          proxy: profile.http.proxy,
        });
    throw new UnreachableError(`nothing to judge at ${declaredUrl(profile)}: ${said}`);
  }
  const endless = requests.flatMap(([name, request]) => {
    const { error } = answers[name];
    return error !== null && withoutEnd.test(error) ? [`${request}: ${error}`] : [];
  });
  if (endless.length > 0)
    throw new UnreachableError(
      `nothing to judge at ${declaredUrl(profile)}: its answers do not end (${endless.join('; ')})`,
    );
  const code = ourCode(chat) ?? ourCode(list);
  if (code !== null && refusesKey(answers)) {
    throw new UsageError(
      `${declaredUrl(profile)} refuses the key (HTTP ${[...new Set(statusesOf(answers))].join(' and ')}, ${code}): give a valid one with --key or as keys.K1 of the profile`,
    );
  }
  // The checks judge a wrong answer of this interface.
  if (code !== null || listsOurModels(profile, list)) return;
  // A profile with a dialect names the interface.
  if (profile.dialect !== undefined && jsonOf(chat) !== undefined) return;
  if (profile.dialect === undefined && Object.values(answers).some(speaksAlike))
    throw new UnreachableError(
      `${declaredUrl(profile)} is a chat API with other paths or names (${requests.map(([name, request]) => shown(request, answers[name])).join('; ')}). Write its profile first: npx gatecheck init --base-url ${declaredUrl(profile)} --key …. If the prefix of its routes is not /api/v1, /v1 or /openai/v1, give the URL with the prefix`,
    );
  throw new UnreachableError(
    `${declaredUrl(profile)} is a different API (${requests.map(([name, request]) => shown(request, answers[name])).join('; ')}): ${hint(answers)}`,
  );
}

/** The model ids in a list: every string under the keys that lists use (reading B-46). */
export function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === 'string' ? [item] : idsIn(item)));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === 'string' ? (['id', 'model', 'name'].includes(name) ? [item] : []) : idsIn(item),
  );
}

/** The error code of an answer, if the specification defines it ("Errors"). */
function ourCode(exchange: Exchange): string | null {
  const code = errorCodeOf(exchange);
  return typeof code === 'string' && Object.hasOwn(errorTable, code) ? code : null;
}

/** Whether an answer has models or an error in the shape that chat interfaces share. */
function speaksAlike(exchange: Exchange): boolean {
  const body = jsonOf(exchange);
  if (!isJsonObject(body)) return false;
  if (isSuccess(exchange)) return Array.isArray(body.data) && idsIn(body.data).length > 0;
  const { error = body.detail } = body;
  return typeof error === 'string' || (isJsonObject(error) && typeof error.message === 'string');
}

function listsOurModels(profile: Profile, list: Exchange): boolean {
  const named = idsIn(jsonOf(list));
  const ours = [...chatCatalogue, ...mediaModels].map(({ id }) => id);
  return named.some((id) => ours.includes(id) || profile.models.enabled?.includes(id));
}

function shown(request: string, exchange: Exchange): string {
  const { response, error } = exchange;
  if (response === null) return `${request}: ${error ?? 'no answer'}`;
  const type = mediaType(exchange) || 'no content type';
  return `${request}: HTTP ${response.status}, ${type}, ${response.body.length} bytes`;
}

function statusesOf({ list, chat }: FirstAnswers): number[] {
  return [list, chat].map(({ response }) => response?.status ?? 0);
}

function refusesKey(answers: FirstAnswers): boolean {
  return statusesOf(answers).every((status) => status === 401 || status === 403);
}

function hint(answers: FirstAnswers): string {
  const { list, chat } = answers;
  const statuses = statusesOf(answers);
  if (refusesKey(answers))
    return 'something in front of it may ask for a login, or the key is not for this server';
  if (statuses.every((status) => status >= 500)) return 'it may be down, or its proxy may not reach it';
  if (statuses.every((status) => status >= 300 && status < 400))
    return 'it redirects: use the URL that it names';
  if ([list, chat].some((one) => mediaType(one).includes('html')))
    return 'this is a web site: give the URL of the API';
  if (idsIn(jsonOf(list)).length > 0)
    return 'its models are not those of the specification; if it is a gateway, list them under models.enabled in the profile';
  return 'check the base URL';
}
