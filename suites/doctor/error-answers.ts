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
