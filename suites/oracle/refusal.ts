import { must } from '../engine/violation.ts';
import { type Exchange, excerpt, jsonOf, mediaType, outcomeOf } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import { type ErrorCode, errorTable, errorTypes, isErrorCode } from './error-table.ts';

/** The members of an error body, as read from a refusal that has the right shape. */
export interface ErrorBody {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly channel: string | null;
  readonly param: string | null;
}

/** What a refusal must be: one of the codes, and for a field fault the field it must name. */
export interface ExpectedRefusal {
  /** Rule that the refusal itself proves. */
  readonly requirement: string;
  readonly aspect: string;
  readonly codes: readonly ErrorCode[];
  /** The field that `param` must name. Null: no field is at fault, so `param` may only be null (or absent). Undefined: not judged. */
  readonly param?: string | null;
  readonly twin?: Exchange | undefined;
}

/**
 * Judges a refusal against the error table and the one error shape ("Errors"): that there is an answer, that it is
 * 4xx or 5xx, JSON of the shape, with a code, status and type that belong together, and then that it is the expected one.
 */
export function judgeRefusal(exchange: Exchange, expected: ExpectedRefusal): ErrorBody {
  const wanted = expected.codes.map((code) => `${errorTable[code].status} ${code}`).join(' or ');
  const own = { requirement: expected.requirement, exchange, twin: expected.twin };
  must(exchange.response !== null, { ...own, aspect: 'answers', expected: wanted, actual: outcomeOf(exchange) });
  must(exchange.response.status >= 400, {
    ...own,
    aspect: expected.aspect,
    expected: wanted,
    actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 120)}`,
  });
  const error = judgeErrorShape(exchange);
  must(expected.codes.some((code) => code === error.code), {
    ...own,
    aspect: expected.aspect,
    expected: wanted,
    actual: `${outcomeOf(exchange)} ${error.code} (param ${JSON.stringify(error.param)}): ${error.message.slice(0, 160)}`,
  });
  if (expected.param !== undefined) judgeParam(exchange, error, expected.param, expected.twin);
  return error;
}

/** The error shape alone, with the triple where the code is one of the table. Returns the error's members. */
export function judgeErrorShape(exchange: Exchange): ErrorBody {
  must(exchange.response !== null, { requirement: 'ERR-002', aspect: 'answers', expected: 'an error answer', actual: outcomeOf(exchange), exchange });
  must(exchange.response.status >= 400 && exchange.response.status <= 599, {
    requirement: 'ERR-001',
    aspect: 'error-status',
    expected: 'a status of 4xx or 5xx',
    actual: outcomeOf(exchange),
    exchange,
  });
  must(mediaType(exchange) === 'application/json', {
    requirement: 'ERR-002',
    aspect: 'error-content-type',
    expected: 'content type application/json',
    actual: `${outcomeOf(exchange)} with content type ${mediaType(exchange) || '(none)'}`,
    exchange,
  });
  const body = jsonOf(exchange);
  const fault = shapeFault('error', body);
  must(fault === null, {
    requirement: fault === null ? 'ERR-002' : requirementOfPath(fault.path),
    aspect: 'error-shape',
    expected: 'a JSON body with a top-level error object of the specified members',
    actual: `${outcomeOf(exchange)}, ${fault?.path || 'the body'} ${fault?.reason}: ${excerpt(exchange, 160)}`,
    exchange,
  });
  return judgeErrorMembers((body as { error: Partial<ErrorBody> }).error, exchange.response.status, exchange);
}

/** The members of an error object, wherever it came from; `status` is null inside a stream, where HTTP has spoken already. */
export function judgeErrorMembers(error: Partial<ErrorBody>, status: number | null, exchange: Exchange): ErrorBody {
  const type = error.type ?? '';
  const code = error.code ?? '';
  must(errorTypes.some((known) => known === type), {
    requirement: 'ERR-003',
    aspect: 'error-type',
    expected: `a type among ${errorTypes.join(', ')}`,
    actual: type,
    exchange,
  });
  if (isErrorCode(code)) {
    const row = errorTable[code];
    must(row.type === type && (status === null || row.status === status), {
      requirement: 'ERR-008',
      aspect: 'triple',
      expected: `${code} with ${row.status} ${row.type}`,
      actual: `${code} with ${status ?? 'no status'} ${type}`,
      exchange,
    });
  }
  return { type, code, message: error.message ?? '', channel: error.channel ?? null, param: error.param ?? null };
}

/**
 * Whether `param` names the field (reading B-05): the head segment is the top-level field, or the whole is the leaf's name.
 */
export function namesField(param: string | null, field: string): boolean {
  if (param === null) return false;
  const segments = param.split(/[.[\]/]+/).filter((segment) => segment !== '');
  const leaf = field.split(/[.[\]/]+/).at(-1);
  return segments[0] === field.split(/[.[\]/]+/)[0] || param === leaf;
}

function judgeParam(exchange: Exchange, error: ErrorBody, field: string | null, twin: Exchange | undefined): void {
  const ok = field === null ? error.param === null : namesField(error.param, field);
  must(ok, {
    requirement: field === null ? 'ERR-007' : 'CHAT-049',
    aspect: 'param',
    expected: field === null ? 'param null: no field is at fault' : `param naming ${field}`,
    actual: `param ${JSON.stringify(error.param)}`,
    exchange,
    twin,
  });
}

function requirementOfPath(path: string): string {
  const rows: Record<string, string> = { type: 'ERR-003', code: 'ERR-004', message: 'ERR-005', channel: 'ERR-006', param: 'ERR-007' };
  return rows[path.split('/')[2] ?? ''] ?? 'ERR-002';
}
