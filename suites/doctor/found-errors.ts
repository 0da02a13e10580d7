import { isDeepStrictEqual } from 'node:util';
import { type ErrorCode, errorTable, isErrorCode } from '../oracle/error-table.ts';
import { isJsonObject } from '../values/json.ts';
import { type Exchange, jsonOf, mediaType } from '../wire/exchange.ts';
import type { Spoken } from './ask-interface.ts';
import {
  errorOf,
  innerError,
  isErrorInSuccess,
  isPlain,
  messageMembers,
  type OwnShape,
  otherNamesIn,
  ownShapeOf,
  saidStatus,
} from './error-answers.ts';
import type { Provocation, Seen } from './look-at-interface.ts';

/** The code that the specification has for each provocation. */
const meant: Readonly<Record<Provocation, ErrorCode>> = {
  empty: 'invalid_param',
  field: 'invalid_param',
  model: 'model_not_found',
  key: 'invalid_api_key',
  keyless: 'invalid_api_key',
};

/** Codes that other dialects have, too. */
const sharedCodes: readonly unknown[] = ['invalid_api_key', 'model_not_found'];

/** Whether a refusal has the codes of the specification. */
export function speaksOurWords(refusal: Exchange | undefined): boolean {
  const { code, channel } = errorOf(refusal) ?? {};
  return isErrorCode(String(code)) && (channel !== undefined || !sharedCodes.includes(code));
}

/** The errors of an API as `dialect.errors` has them, derived from its refusals. */
export function foundErrors(
  refusals: Seen['refusals'],
  elsewhere: readonly Exchange[],
  spoken: Spoken,
): Record<string, unknown> {
  const all = [...Object.values(refusals), ...elsewhere];
  const own = Object.values(refusals).map((one) => (saidStatus(one) < 400 ? null : ownShapeOf(one)));
  // One that all refusals have, beside those that web frameworks have by themselves.
  const [shape = null] = own;
  const isOwn =
    shape !== null && shape.object !== 'detail' && own.every((one) => one?.object === shape.object);
  const members = isOwn ? {} : membersElsewhere(Object.values(refusals));
  const codes = isOwn ? ownCodes(refusals, shape) : seenCodes(refusals, spoken);
  return {
    ...(isOwn ? shape : otherShapes(all)),
    ...(Object.keys(members).length > 0 && { members }),
    ...(all.some(isErrorInSuccess) && { in_success: true }),
    ...(Object.keys(codes).length > 0 && { codes }),
  };
}

/** The names of members that every error object has in place of the usual ones. */
function membersElsewhere(refused: readonly Exchange[]): Readonly<Record<string, string>> {
  const found = refused
    .map((one) => (saidStatus(one) < 400 ? null : errorOf(one)))
    .filter((error) => error !== null)
    .map(otherNamesIn);
  const [first, ...others] = found;
  const isShared = ([member, own]: readonly [string, string]): boolean =>
    others.every((names) => names[member] === own);
  // A wrong field alone has a param.
  const params = Object.assign({}, ...found) as Record<string, string>;
  const shared = Object.fromEntries(Object.entries(first ?? {}).filter(isShared));
  return params.param === undefined ? shared : { ...shared, param: params.param };
}

/** The codes of provoked errors under names of their own. */
function ownCodes(refusals: Seen['refusals'], { object, members }: OwnShape): Record<string, object> {
  const signs = (Object.entries(refusals) as [Provocation, Exchange][]).flatMap(([name, exchange]) => {
    const body = jsonOf(exchange);
    const error = isJsonObject(body) && isJsonObject(body[object]) ? body[object] : {};
    const code = members.code === null ? undefined : error[members.code ?? ''];
    const sign = isPlain(code) ? { code } : { status: saidStatus(exchange) };
    return isErrorCode(String(code)) ? [] : [[meant[name], sign] as const];
  });
  return Object.fromEntries(signsByCode(signs).map(([code, own]) => [code, oneOrAll(own)]));
}

/** The different signs of each code, without those that another code has, too. */
function signsByCode(signs: readonly (readonly [ErrorCode, Sign])[]): [ErrorCode, Sign[]][] {
  const isAlone = ([code, sign]: readonly [ErrorCode, Sign]): boolean =>
    signs.every(([other, its]) => other === code || !isDeepStrictEqual(its, sign));
  const byCode = Map.groupBy(signs.filter(isAlone), ([code]) => code);
  return [...byCode].map(([code, own]) => [
    code,
    [...new Map(own.map(([, sign]) => [JSON.stringify(sign), sign])).values()],
  ]);
}

function oneOrAll(signs: readonly Sign[]): object {
  return signs.length === 1 && signs[0] !== undefined ? signs[0] : signs;
}

/** The further shapes of errors: those without an `error`, as `errors.also` has them, and text. */
function otherShapes(refused: readonly Exchange[]): { also?: object[]; text?: true } {
  const answers = refused.filter((one) => saidStatus(one) >= 400);
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
  // Codes in a body matter where its status says nothing.
  const hasCode = answers.some(
    (one) => isErrorInSuccess(one) && isPlain((jsonOf(one) as Record<string, unknown>).code),
  );
  // The first shape that fits counts, so those within an object of their own stand first.
  const also = [
    ...[...new Set(inner)].map((object) => ({ object, members: { channel: null } })),
    ...[...new Set(names)].map((message) => ({
      object: null,
      members: { message, type: null, ...(!hasCode && { code: null }), param, channel: null },
    })),
  ];
  const isText = answers.some((exchange) => mediaType(exchange) === 'text/plain');
  return { ...(also.length > 0 && { also }), ...(isText && { text: true }) };
}

/** Codes with the signs of each provoked error, where they differ from the specified ones. */
function seenCodes(refusals: Seen['refusals'], spoken: Spoken): Record<string, object> {
  const signs = (Object.entries(refusals) as [Provocation, Exchange][]).flatMap(([name, exchange]) => {
    const sign = signOf(name, exchange, spoken);
    return sign === null ? [] : [[meant[name], sign] as const];
  });
  return Object.fromEntries(
    signsByCode(signs)
      .filter(([code, own]) => own.some(({ status }) => status !== errorTable[code].status))
      .map(([code, own]) => [code, oneOrAll(own)]),
  );
}

/** What an error shows of its code. */
interface Sign {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string | number;
  readonly message?: string;
}

/** The sign of an error with HTTP 200: its code, else its type, else a word of its message; null where it has none. */
function signInSuccess(exchange: Exchange, meant: ErrorCode): Sign | null {
  const body = jsonOf(exchange);
  const { type, code, message } = errorOf(exchange) ?? (isJsonObject(body) ? body : {});
  if (isPlain(code)) return isErrorCode(String(code)) ? null : { code };
  if (typeof type === 'string') return { type };
  const [word] = wordsFor[meant]?.exec(String(message)) ?? [];
  return word === undefined ? null : { message: word.toLowerCase() };
}

/** Words of messages that name a fault. */
const wordsFor: Readonly<Partial<Record<ErrorCode, RegExp>>> = {
  invalid_api_key: /api[ _-]?key|credential|token|unauthori[sz]ed/i,
  model_not_found: /(?:no such|unknown|invalid) model|model (?:\S+ )?(?:is |was )?(?:not found|unknown)/i,
  invalid_param: /invalid|required|missing|must be/i,
};

/** The signs of a provoked error; null where it has none. */
function signOf(name: Provocation, exchange: Exchange, spoken: Spoken): Sign | null {
  const status = saidStatus(exchange);
  const error = errorOf(exchange);
  const isOfKey = meant[name] === 'invalid_api_key';
  if (status < 400 || status >= 500) return null;
  if (isErrorInSuccess(exchange)) return signInSuccess(exchange, meant[name]);
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

const provoked: Readonly<Record<Provocation, string>> = {
  model: 'an unknown model',
  field: 'a wrong field',
  empty: 'an empty body',
  key: 'an unknown key',
  keyless: 'no key',
};

/** A successful answer shows nothing about errors. */
export function shownError(refusals: Seen['refusals']): string {
  const names = Object.keys(provoked) as Provocation[];
  const name = names.find((one) => saidIn(refusals[one]) >= 400) ?? 'model';
  const status = refusals[name]?.response?.status ?? 'none';
  const error = errorOf(refusals[name]);
  const members = (['type', 'code'] as const).map((one) => `${one} ${JSON.stringify(error?.[one] ?? null)}`);
  const shape = error === null ? 'without an error object' : members.join(', ');
  return `${provoked[name]}: HTTP ${status}, ${shape}`;
}

function saidIn(exchange: Exchange | undefined): number {
  return exchange === undefined ? 0 : saidStatus(exchange);
}
