import { isJsonObject } from '../values/json.ts';

type Body = Record<string, unknown>;

/** Members that an answer of success has, whatever its protocol. */
const results = ['choices', 'content', 'candidates', 'data', 'models', 'output', 'task_id', 'usage'] as const;

/** What envelopes have as their code where nothing is wrong. */
const fine: readonly unknown[] = [0, 200, '0', '200', 'ok', 'success', 'succeeded'];

/** Whether a body with HTTP 200 is an answer of success, for dialects whose errors may have that status, too. */
export function isSuccessBody(body: Body): boolean {
  const { code } = body;
  if (fine.includes(typeof code === 'string' ? code.toLowerCase() : code)) return true;
  return results.some((name) => (body[name] ?? null) !== null && !isEmpty(body[name]));
}

function isEmpty(value: unknown): boolean {
  return isJsonObject(value) ? Object.keys(value).length === 0 : Array.isArray(value) && value.length === 0;
}

/** The HTTP status that an error with HTTP 200 names in its body; null where it names none. */
export function errorStatusIn(...bodies: readonly Body[]): number | null {
  const named = bodies.flatMap(({ status, code, status_code: snake, statusCode: camel }) => [
    ...[status, snake, camel, code],
  ]);
  const found = named.find((value) => /^[45]\d\d$/.test(String(value)));
  return found === undefined ? null : Number(found);
}
