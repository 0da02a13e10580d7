import { errorStatusIn, isSuccessBody } from '../dialects/error-in-success.ts';
import { isJsonObject } from '../values/json.ts';
import { type Exchange, isSuccess, jsonOf } from '../wire/exchange.ts';

/** Members that hold the message of errors without an error object, as web frameworks send them. */
export const messageMembers = ['detail', 'message', 'msg', 'title'] as const;

/** Whether an answer with a status of success is an error by its body. */
export function isErrorInSuccess(exchange: Exchange): boolean {
  const body = jsonOf(exchange);
  if (!isSuccess(exchange) || !isJsonObject(body)) return false;
  if (isErrorObject(body.error) || (typeof body.error === 'string' && body.error !== '')) return true;
  return (
    !isSuccessBody(body) && messageMembers.some((name) => typeof body[name] === 'string' && body[name] !== '')
  );
}

/** The status of an answer, or the one that an error with HTTP 200 names; 400 for one that names none. */
export function saidStatus(exchange: Exchange): number {
  const status = exchange.response?.status ?? 0;
  const body = jsonOf(exchange);
  if (!isErrorInSuccess(exchange) || !isJsonObject(body)) return status;
  return errorStatusIn(errorOf(exchange) ?? body, body) ?? 400;
}

/** The error object in an answer, also within the member that a web framework has for its message; null for none. */
export function errorOf(exchange: Exchange | undefined): Record<string, unknown> | null {
  const body = exchange === undefined ? null : jsonOf(exchange);
  if (!isJsonObject(body)) return null;
  if (isJsonObject(body.error)) return body.error;
  return messageMembers.map((name) => innerError(body, name)).find((found) => found !== null)?.error ?? null;
}

/** An error within the member that a web framework has for its message, and where it is. */
export function innerError(
  body: Record<string, unknown>,
  name: string,
): { readonly object: string; readonly error: Record<string, unknown> } | null {
  const held = body[name];
  if (!isJsonObject(held)) return null;
  if (isJsonObject(held.error)) return { object: `${name}.error`, error: held.error };
  return typeof held.message === 'string' ? { object: name, error: held } : null;
}

/** Whether a value may be a code. */
export function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isErrorObject(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value) && (Object.hasOwn(value, 'message') || Object.hasOwn(value, 'code'));
}

/** An error object under a name of its own, and its members by ours. */
export interface OwnShape {
  readonly object: string;
  readonly members: Readonly<Record<string, string | null>>;
}

/** The names that other deployments have for the members of an error, the most frequent first. */
const memberNames = {
  message: ['message', 'msg', 'text', 'detail', 'description', 'title', 'reason'],
  code: ['code', 'reason', 'error_code', 'errorCode', 'key'],
  type: ['type', 'kind', 'category'],
  param: ['param', 'field', 'parameter', 'path'],
} as const;

/** The shape of an error in the one object of a body, which has a text as its message; null where there is none. */
export function ownShapeOf(exchange: Exchange): OwnShape | null {
  const body = jsonOf(exchange);
  if (!isJsonObject(body) || Object.hasOwn(body, 'error')) return null;
  const [held, ...more] = Object.entries(body).filter(([, value]) => isJsonObject(value));
  if (held === undefined || more.length > 0) return null;
  const [object, error] = held as [string, Record<string, unknown>];
  const members = membersOf(error);
  return members.message === null ? null : { object, members: { ...members, channel: null } };
}

/** The names that an error has for our members, where it lacks those itself: `{ message: 'detail' }`. */
export function otherNamesIn(error: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const renamed = Object.entries(membersOf(error)).flatMap(([member, own]) =>
    own === null || own === member || Object.hasOwn(error, member) ? [] : [[member, own] as const],
  );
  return Object.fromEntries(renamed);
}

function membersOf(
  error: Readonly<Record<string, unknown>>,
): Record<keyof typeof memberNames, string | null> {
  const taken = new Set<string>();
  const nameOf = (member: keyof typeof memberNames, fits: (value: unknown) => boolean): string | null => {
    const found = memberNames[member].find((name) => !taken.has(name) && fits(error[name]));
    if (found !== undefined) taken.add(found);
    return found ?? null;
  };
  const message = nameOf('message', (value) => typeof value === 'string');
  const code = nameOf('code', isPlain);
  const type = nameOf('type', (value) => typeof value === 'string');
  const param = memberNames.param.find((name) => Object.hasOwn(error, name)) ?? null;
  return { message, code, type, param };
}
