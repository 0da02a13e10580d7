import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { classifyError } from '../chat-completions/classify.ts';
import { isPolicyText } from '../media/job-words.ts';
import { type FailureReason, failure, type UpstreamFailure } from '../outcome.ts';
import { retryAfterMs } from '../retry-after.ts';
import { statusReason } from '../status-reason.ts';

/** This dialect answers 200 to everything and says in a code of the body what came of it. */
export const allWell = 200;
export const notFound = 404;

/** Codes that mean something else than the statuses that they look like. */
const codeReasons: Readonly<Record<number, FailureReason>> = {
  404: 'bad_request', // the job that this one builds on
  413: 'policy', // words that it does not take
  455: 'busy', // maintenance
  531: 'server', // failed, and nothing charged
};

/** The code in a body; null when there is none. */
export function codeIn(body: unknown): number | null {
  const code = isObject(body) ? body.code : undefined;
  const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isInteger(number) ? number : null;
}

/** What a good body is about; null when it is about nothing. */
export function dataIn(body: unknown): JsonObject | null {
  return isObject(body) && isObject(body.data) ? body.data : null;
}

/** Where a complaint about the job that another builds on belongs. */
const parentField = 'parent_task_id';

/** What a code other than that of success means; a body without one is an error in other words. */
export function classifyCode(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure {
  const code = codeIn(body);
  if (code === null) return classifyError(body, status, headers, noFields);
  const reason = reasonOf(code, isObject(body) ? body.msg : undefined);
  const param = code === notFound ? parentField : null;
  return failure(reason, `answered with the code ${code}`, {
    status,
    param,
    retryAfterMs: retryAfterMs(headers),
  });
}

function reasonOf(code: number, text: unknown): FailureReason {
  const own = codeReasons[code];
  if (own !== undefined) return own;
  if (code < 400 || code > 599) return 'unusable';
  const reason = statusReason(code);
  return reason === 'bad_request' && isPolicyText(text) ? 'policy' : reason;
}

/** Complaints come as texts, which name no field. */
const noFields = { fieldOf: (): null => null, largest: 'prompt' } as const;
