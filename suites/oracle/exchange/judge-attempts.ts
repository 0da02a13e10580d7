import type { Dialect } from '../../profile/dialects.ts';
import { flag } from '../../rules/violation.ts';
import { parseJson } from '../../values/json.ts';
import { type Exchange, errorCodeOf, isSuccess } from '../../wire/exchange.ts';
import { type ErrorCode, isErrorCode } from '../error-table.ts';
import { dialectOfPath } from '../native/dialects.ts';
import { type Json, objectOf } from '../native/json.ts';
import { type Attempt, credentialIn } from './attempt.ts';
import type { Call } from './call.ts';
import { failuresIn } from './judge-exchange.ts';

/** Codes of refusals before any upstream is asked, with the rule about each ("Errors"). */
const beforeRouting: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'ERR-014',
  sk_disabled: 'ERR-015',
  sk_expired: 'ERR-016',
  ip_not_allowed: 'ERR-017',
  concurrency_exceeded: 'ERR-020',
  quota_exceeded: 'ERR-021',
  model_not_found: 'ERR-023',
  unsupported_capability: 'ERR-026',
};

/** How an upstream refuses the account of the gateway. */
const ofAccounts: readonly number[] = [401, 402, 403, 429];

/** A gateway with one code for all refused keys answers both statuses with it. */
function isOfKeys(status: number): boolean {
  return status === 401 || status === 403;
}

/** How each dialect names a failure that the request itself caused: no other attempt would fare better (reading B-109). */
const blames: Readonly<Record<Dialect, (error: Json) => boolean>> = {
  'chat-completions': ({ type }) => type === 'invalid_request_error',
  messages: ({ type }) => type === 'invalid_request_error',
  'generate-content': ({ status }) => status === 'INVALID_ARGUMENT',
};

/** A call with its upstream attempts. */
export interface Attempted {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly attempts: readonly Attempt[];
  /** Whether other calls of its model were seen at the upstreams: those of some models may be others. */
  readonly isSeen: boolean;
  /** When the first content arrived at the caller, Unix ms; null if none did. */
  readonly begunMs: number | null;
  /** The public ids that each channel of the upstreams may have; empty where none are declared. */
  readonly channelIds: ChannelIds;
}

/** The public ids of each channel of the upstreams, one for each account that has it. */
export type ChannelIds = ReadonlyMap<string, readonly string[]>;

/** Codes of failures that an upstream which was asked has caused, with the least attempts after which no other can follow unseen. */
const attemptsUntil: Readonly<Record<string, number>> = {
  ...{ upstream_error: 2, upstream_timeout: 2 },
  ...{ content_filter: 1, context_too_long: 1 },
};

/** Judges the number of upstream attempts of one call ("Errors": retried once, and nothing after the first byte). */
export function judgeAttempts(attempted: Attempted): void {
  const { exchange, call, attempts, isSeen, begunMs } = attempted;
  const { request } = exchange;
  const code = errorCodeOf(exchange);
  const rule = typeof code === 'string' && isErrorCode(code) ? beforeRouting[code] : undefined;
  const shown = attempts.map(
    ({ channel, status, ended }) => `${channel}: ${status ?? 'no answer'}, ${ended}`,
  );
  const actual = `${attempts.length} attempts (${shown.join('; ')})`;
  const last = attempts.at(-1);
  const status = last?.status ?? 0;
  const isSame = (one: number): boolean => one === status || (isOfKeys(one) && isOfKeys(status));
  const isPassedOn =
    rule !== undefined && ofAccounts.includes(status) && isSame(exchange.response?.status ?? 0);
  // A gateway that passes the caller's key on has no account that could be refused: AUTH-020 reports it.
  const isCallers =
    last !== undefined && ['', credentialIn(request.headers, request.url)].includes(last.credential);
  flag(!isPassedOn || isCallers, {
    requirement: 'ERR-010',
    aspect: 'attempt-not-the-callers',
    expected: `a refusal of the gateway's own account that is not shown as ${code}`,
    actual,
    exchange,
  });
  flag(rule === undefined || attempts.length === 0 || isPassedOn, {
    requirement: rule ?? '',
    aspect: 'no-upstream-call',
    expected: `no upstream request for what is refused as ${code}`,
    actual,
    exchange,
  });
  judgeNamedChannel(attempted, actual);
  // A caller may ask for a replay. A task asks its upstream later.
  const mayReplay =
    call.protocol === 'submit' || request.headers.some(([name]) => /^idempotency-key$/i.test(name));
  flag(!isSuccess(exchange) || mayReplay || !isSeen || attempts.length > 0, {
    requirement: 'BILL-001',
    aspect: 'upstream-asked',
    expected: 'an upstream request for each call that is served',
    actual,
    exchange,
  });
  const blamed = attempts.findIndex(blamesRequest);
  flag(blamed < 0 || blamed === attempts.length - 1, {
    requirement: 'ROUTE-014',
    aspect: 'not-retried',
    expected: 'no further attempt after an upstream has blamed the request',
    actual,
    exchange,
  });
  // Only an answer can have begun the stream.
  const first = attempts.findIndex(({ status }) => status === 200);
  const later = first < 0 ? [] : attempts.slice(first + 1);
  const further = later.some(({ received }) => begunMs !== null && received.min > begunMs);
  flag(!call.stream || !further, {
    requirement: 'SSE-020',
    aspect: 'no-restart',
    expected: 'no further attempt once the stream has begun',
    actual,
    exchange,
  });
  flag(code !== 'upstream_timeout' || attempts.length <= 2 || call.protocol === 'submit', {
    requirement: call.protocol === 'chat' ? 'ROUTE-004' : 'ROUTE-006',
    aspect: 'two-attempts',
    expected: 'two attempts before upstream_timeout',
    actual,
    exchange,
  });
}

/** A failure of an upstream names no channel that was never asked ("Errors": the upstream that failed). */
function judgeNamedChannel({ exchange, attempts, channelIds }: Attempted, actual: string): void {
  const { code, channel } = errorOf(exchange);
  const asked = attempts.map(({ channel: name }) => channelIds.get(name) ?? null);
  if (typeof channel !== 'string' || asked.length === 0 || asked.includes(null)) return;
  // A refused connection leaves no request at its channel, so a single failed attempt may not have been the last.
  const isLast = asked.length >= (attemptsUntil[String(code)] ?? Number.POSITIVE_INFINITY);
  flag(!isLast || asked.some((ids) => ids?.includes(channel)), {
    requirement: 'ERR-006',
    aspect: 'channel-was-asked',
    expected: `channel null or one of ${[...new Set(asked.flat())].join(', ')}, which were asked`,
    actual: `channel ${JSON.stringify(channel)}; ${actual}`,
    exchange,
  });
}

/** The error of an answer or of a stream that fails; empty where it has none. */
function errorOf(exchange: Exchange): Json {
  const { response } = exchange;
  if (response === null) return {};
  const text =
    response.status >= 400 ? response.body.toString('utf8') : (failuresIn(response.body).at(-1) ?? '');
  return objectOf(objectOf(parseJson(text)).error);
}

function blamesRequest({ path, status, answer }: Attempt): boolean {
  const dialect = dialectOfPath(path);
  if ((status !== 400 && status !== 422) || dialect === null) return false;
  return blames[dialect](objectOf(objectOf(parseJson(answer.toString('utf8'))).error));
}
