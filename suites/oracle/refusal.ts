import { advise, type Finding, flag, must } from '../rules/violation.ts';
import { type Exchange, excerpt, isSuccess, jsonOf, mediaType, outcomeOf } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import { judgeChannelName } from './channel-name.ts';
import { judgeLeaks } from './error-leaks.ts';
import { type ErrorCode, errorTable, errorTypes, isErrorCode } from './error-table.ts';

/** The members of an error object in a refusal of the right shape. */
export interface ErrorBody {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly channel: string | null;
  readonly param: string | null;
  /** Violated advice; no rule is violated. */
  readonly advice: readonly Finding[];
}

/** The expected refusal: one of these codes, and for an invalid field its name. */
export interface ExpectedRefusal {
  /** The rule that the refusal itself proves. */
  readonly requirement: string;
  readonly aspect: string;
  readonly codes: readonly ErrorCode[];
  /**
   * The field that `param` must name. Null: no field is invalid, so `param` must be null or absent. Undefined:
   * only the code matters.
   */
  readonly param?: string | null;
  /** The rule by which the field must be named. The default is that of the chat request. */
  readonly paramRule?: string | undefined;
  /** Public ids of the channels that the error may name; empty or undefined when none are declared. */
  readonly channels?: readonly string[] | undefined;
  readonly twin?: Exchange | undefined;
}

/**
 * A refusal for a condition that the error table does not list: only shape and status are fixed (readings B-03,
 * B-117).
 */
export interface OpenRefusal {
  readonly requirement: string;
  readonly aspect: string;
  readonly statuses: readonly number[];
  readonly twin?: Exchange | undefined;
}

/**
 * Judges a refusal by the error table and the common error shape ("Errors").
 * The answer must have a 4xx or 5xx status and JSON of this shape. Code, status and type must be the expected
 * ones and fit each other.
 */
export function judgeRefusal(exchange: Exchange, expected: ExpectedRefusal): ErrorBody {
  const wanted = expected.codes.map((code) => `${errorTable[code].status} ${code}`).join(' or ');
  const field = expected.param ?? undefined;
  const own = { requirement: expected.requirement, exchange, twin: expected.twin, field };
  const error = judgeAnyRefusal(exchange, { ...own, aspect: expected.aspect }, wanted);
  must(
    expected.codes.some((code) => code === error.code),
    {
      ...own,
      aspect: expected.aspect,
      expected: wanted,
      actual: `${outcomeOf(exchange)} ${error.code} (param ${JSON.stringify(error.param)}): ${error.message.slice(0, 160)}`,
    },
  );
  if (expected.param !== undefined) judgeParam(exchange, error, { ...expected, param: expected.param });
  judgeChannelName(error, expected.channels ?? [], exchange);
  return error;
}

/** Judges a refusal whose code the specification leaves open: one of the statuses, in the error shape. */
export function judgeOpenRefusal(exchange: Exchange, expected: OpenRefusal): ErrorBody {
  const wanted = `HTTP ${expected.statuses.join(' or ')} in the error shape`;
  const own = { ...expected, exchange };
  const error = judgeAnyRefusal(exchange, own, wanted);
  // A dialect may read a status of the list as a code of the table, which has another one.
  const seen = [exchange.response, exchange.carried?.answer];
  const isListed = seen.some((answer) => expected.statuses.includes(answer?.status ?? 0));
  const actual = `${outcomeOf(exchange)} ${error.code}: ${error.message.slice(0, 160)}`;
  must(isListed, { ...own, expected: wanted, actual });
  return error;
}

/**
 * Judges only the error shape, and code, status and type if the code is in the table. Returns the error's
 * members.
 */
export function judgeErrorShape(exchange: Exchange): ErrorBody {
  const { response } = exchange;
  must(response?.complete === true, {
    requirement: 'ERR-002',
    aspect: 'answers',
    expected: 'a complete error answer',
    actual: response ? (exchange.error ?? 'a body cut short') : outcomeOf(exchange),
    exchange,
  });
  must(response.status >= 400 && response.status <= 599, {
    requirement: 'ERR-001',
    aspect: 'error-status',
    expected: 'a status of 4xx or 5xx',
    actual: outcomeOf(exchange),
    exchange,
  });
  const body = jsonOf(exchange);
  const wrongType: Finding = {
    requirement: 'ERR-002',
    aspect: 'error-content-type',
    expected: 'content type application/json',
    actual: `${outcomeOf(exchange)} with content type ${mediaType(exchange) || '(none)'}: ${excerpt(exchange, 80)}`,
    exchange,
  };
  // A page with its own content type has one defect. JSON with a wrong content type may have more, so judging continues.
  if (body === undefined) must(mediaType(exchange) === 'application/json', wrongType);
  else flag(mediaType(exchange) === 'application/json', wrongType);
  const fault = shapeFault('error', body);
  must(fault === null, {
    requirement: fault === null ? 'ERR-002' : requirementOfFault(fault.path, fault.reason),
    aspect: 'error-shape',
    expected: 'a JSON body with a top-level error object of the specified members',
    actual: `${outcomeOf(exchange)}, ${fault?.path || 'the body'} ${fault?.reason}: ${excerpt(exchange, 160)}`,
    exchange,
  });
  return judgeErrorMembers((body as { error: Partial<ErrorBody> }).error, response.status, exchange);
}

/** The members of an error object. `status` is null inside a stream, whose HTTP status was sent before. */
export function judgeErrorMembers(
  error: Partial<ErrorBody>,
  status: number | null,
  exchange: Exchange,
): ErrorBody {
  const { type = '', code = '', message = '', channel = null, param = null } = error;
  flag(
    errorTypes.some((known) => known === type),
    {
      requirement: 'ERR-003',
      aspect: 'error-type',
      expected: `a type among ${errorTypes.join(', ')}`,
      actual: type,
      exchange,
    },
  );
  judgeLeaks(message, exchange);
  if (isErrorCode(code)) {
    const row = errorTable[code];
    flag(row.type === type && (status === null || row.status === status), {
      requirement: 'ERR-008',
      aspect: 'triple',
      expected: `${code} with ${row.status} ${row.type}`,
      actual: `${code} with ${status ?? 'no status'} ${type}`,
      exchange,
    });
    judgeAgainstCode(code, { channel, param }, exchange);
  }
  return { type, code, message, channel, param, advice: adviceOn(error, exchange) };
}

/**
 * Whether `param` names the field (reading B-05): its first segment is the top-level field, or all of it is the
 * leaf's name.
 */
export function namesField(param: string | null, field: string): boolean {
  if (param === null) return false;
  const [segments, wanted] = [param, field].map((path) =>
    path.split(/[.[\]/]+/).filter((part) => part !== ''),
  );
  return segments?.[0] === wanted?.[0] || param === wanted?.at(-1);
}

/**
 * Judges the rules for every refusal: an answer, an error status, and the shape. An error object with another
 * status is reported separately.
 */
function judgeAnyRefusal(
  exchange: Exchange,
  own: Pick<Finding, 'requirement' | 'aspect' | 'exchange' | 'twin'>,
  wanted: string,
): ErrorBody {
  must(exchange.response !== null, {
    ...own,
    aspect: 'answers',
    expected: wanted,
    actual: outcomeOf(exchange),
  });
  if (exchange.response.status < 400) {
    const isError = shapeFault('error', jsonOf(exchange)) === null;
    must(false, {
      ...own,
      ...(isError ? { requirement: 'ERR-001', aspect: 'error-status' } : {}),
      expected: wanted,
      actual: `${outcomeOf(exchange)}: ${isError || !isServed(exchange) ? excerpt(exchange, 120) : 'accepted'}`,
    });
  }
  return judgeErrorShape(exchange);
}

/** Whether the API itself answered. Then the beginning of the answer says nothing; the report shows it beside the request. */
function isServed(exchange: Exchange): boolean {
  return isSuccess(exchange) && /^(application\/json|text\/event-stream)$/.test(mediaType(exchange));
}

/** Codes of checks before any upstream is chosen, so no channel can have failed. */
const beforeRouting: readonly ErrorCode[] = [
  'rate_limit_exceeded',
  'concurrency_exceeded',
  'quota_exceeded',
  'model_not_found',
  'unsupported_capability',
  'task_not_found',
];

/** Judges `param` and `channel` by the code: neither may be named without being the cause. */
function judgeAgainstCode(
  code: ErrorCode,
  { channel, param }: Pick<ErrorBody, 'channel' | 'param'>,
  exchange: Exchange,
): void {
  const isAuth = errorTable[code].type === 'auth_error';
  const fields = fieldsOf(code);
  // The specification says "offending field, if any": with a status that blames no field, a `param` is only misleading.
  const blamesField = isAuth || errorTable[code].type === 'invalid_request_error';
  (blamesField ? flag : advise)(
    param === null || fields === null || fields.some((field) => namesField(param.toLowerCase(), field)),
    {
      requirement: isAuth ? 'AUTH-018' : 'ERR-007',
      aspect: 'param-of-code',
      expected: `${code} with param null${fields?.length ? ` (or ${fields.join(', ')})` : ': no field is invalid'}`,
      actual: `param ${JSON.stringify(param)}`,
      exchange,
    },
  );
  flag(channel === null || !(isAuth || beforeRouting.includes(code)), {
    requirement: isAuth ? 'AUTH-018' : 'ERR-006',
    aspect: 'channel-of-code',
    expected: `${code} with channel null: no upstream was called`,
    actual: `channel ${JSON.stringify(channel)}`,
    exchange,
  });
}

/** The fields that an error of this code may name, besides none at all; null when any is allowed. */
function fieldsOf(code: ErrorCode): readonly string[] | null {
  switch (errorTable[code].type) {
    case 'auth_error':
      return ['authorization', 'x-api-key', 'key', 'x-goog-api-key'];
    case 'rate_limit_error':
    case 'api_error':
      return [];
    case 'invalid_request_error':
      return code === 'model_not_found' ? ['model'] : code === 'task_not_found' ? ['task_id'] : null;
  }
}

function judgeParam(
  exchange: Exchange,
  error: ErrorBody,
  { param: field, paramRule = 'CHAT-049', twin }: Omit<ExpectedRefusal, 'param'> & { param: string | null },
): void {
  const isOpen = field === null && (error.type === 'rate_limit_error' || error.type === 'api_error');
  (isOpen ? advise : flag)(field === null ? error.param === null : namesField(error.param, field), {
    requirement: field === null ? 'ERR-007' : paramRule,
    aspect: 'param',
    expected: field === null ? 'param null: no field is invalid' : `param naming ${field}`,
    actual: `param ${JSON.stringify(error.param)}`,
    exchange,
    twin,
    field: field ?? undefined,
  });
}

/** Reading B-06: an omitted member counts as null, but an explicit null is easier for clients. */
function adviceOn(error: Partial<ErrorBody>, exchange: Exchange): Finding[] {
  const members = [
    { name: 'channel', requirement: 'ERR-006' },
    { name: 'param', requirement: 'ERR-007' },
  ] as const;
  return members
    .filter(({ name }) => !Object.hasOwn(error, name))
    .map(({ name, requirement }) => ({
      requirement,
      aspect: `${name}-present`,
      expected: `a member ${name}, null when there is nothing to name`,
      actual: 'the member is missing',
      exchange,
    }));
}

/** The rule about the member with a schema error, or about the missing one. */
function requirementOfFault(path: string, reason: string): string {
  const rows: Record<string, string> = {
    type: 'ERR-003',
    code: 'ERR-004',
    message: 'ERR-005',
    channel: 'ERR-006',
    param: 'ERR-007',
  };
  const missing = path === '/error' ? /property '(\w+)'/.exec(reason)?.[1] : undefined;
  return rows[missing ?? path.split('/')[2] ?? ''] ?? 'ERR-002';
}
